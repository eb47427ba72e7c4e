import { randomValue, secretHash } from '@platform/kernel';
import { callbackUrlOf, type ExtensionName, issuerOf, type ProxyExtension } from '../model/extension.ts';
import { upstreamFingerprint } from '../model/extension-spec.ts';
import { CODE_LIFETIME_MS, type CodeRecord, type StateRecord } from '../model/flow.ts';
import { messages, remedies } from '../model/messages.ts';
import { ProxyError } from '../model/proxy-error.ts';
import { codeRedirect, errorRedirect } from '../rules/app-redirect.ts';
import { type Parameters, printable, readParameters } from '../rules/parameters.ts';
import { fetchTokens } from './fetch-tokens.ts';
import { findExtension } from './find-extension.ts';
import { LoginFailed } from './login-failed.ts';
import type { ProxyPorts } from './ports.ts';
import { sealRecord, unsealRecord } from './seal-record.ts';

/** The request that the upstream sent the browser with. */
export interface CallbackRequest {
  /** The raw query string. */
  readonly query: string;
  /** The value of the cookie that `authorize` set; null without one. */
  readonly browser: string | null;
  /** Whether the browser says that it opens a page (`Sec-Fetch-Dest: document`), so that its cookies are there. */
  readonly opensPage: boolean;
}

/**
 * Receives the browser from the upstream and returns where in the app to send it, with a code or with an error.
 * Throws {@link ProxyError} for a state that is unknown, used or expired: then nobody knows which app to go back to.
 */
export async function callback(
  ports: ProxyPorts,
  name: ExtensionName,
  request: CallbackRequest,
): Promise<string> {
  const extension = await findExtension(ports, name);
  const parameters = readParameters(request.query);
  const state = await takeState(ports, extension, parameters);
  requireSameBrowser(state, request);
  const issuer = issuerOf(ports.publicUrl, extension);
  try {
    const record = await finishLogin(ports, extension, state, parameters);
    const code = randomValue(ports.random);
    await ports.flows.saveCode({
      hash: secretHash(code),
      extensionUid: extension.extensionUid,
      sealed: sealRecord(ports, 'oauth_code', extension, record),
      expiresAt: ports.clock.now() + CODE_LIFETIME_MS,
    });
    return codeRedirect(state, code, issuer);
  } catch (error) {
    if (!(error instanceof LoginFailed)) throw error;
    const { project, extension: extensionName } = extension;
    ports.logger.warn('oauth.login_failed', { project, extension: extensionName, reason: error.logged });
    return errorRedirect(state, error.error, error.description, issuer);
  }
}

async function takeState(
  ports: ProxyPorts,
  extension: ProxyExtension,
  parameters: Parameters,
): Promise<StateRecord> {
  const state = parameters.get('state');
  const key = state === undefined ? null : { hash: secretHash(state), extensionUid: extension.extensionUid };
  const sealed = key === null ? null : await ports.flows.takeState(key, ports.clock.now());
  const record = sealed === null ? null : unsealRecord(ports, 'oauth_state', extension, sealed);
  // Attack: the extension is pointed at another provider while a login is under way, and that provider's token endpoint
  // would be handed a code of the first one (mix-up, RFC 9700 section 4.4).
  if (record === null || record.fingerprint !== upstreamFingerprint(extension.spec)) {
    throw new ProxyError('invalid_request', messages.state, { remedy: remedies.state });
  }
  return record;
}

/**
 * Attack: an attacker begins a login with a challenge of their own and sends the link to a victim, who logs in; the code that
 * comes out is the victim's, and only the attacker can redeem it (RFC 9700, section 4.7). Only browsers that say what
 * they open are asked: in a frame the cookie is not sent, and programs keep none.
 */
function requireSameBrowser({ browserHash }: StateRecord, { browser, opensPage }: CallbackRequest): void {
  if (!opensPage || browserHash === undefined) return;
  if (browser !== null && secretHash(browser) === browserHash) return;
  throw new ProxyError('invalid_request', messages.browser, { remedy: remedies.browser });
}

async function finishLogin(
  ports: ProxyPorts,
  extension: ProxyExtension,
  state: StateRecord,
  parameters: Parameters,
): Promise<CodeRecord> {
  const error = parameters.get('error');
  if (error !== undefined) {
    throw new LoginFailed(
      error,
      parameters.get('error_description') ?? null,
      `upstream answered ${printable(error, 100)}`,
    );
  }
  const code = parameters.get('code');
  if (code === undefined)
    throw new LoginFailed('server_error', 'The provider sent neither a code nor an error');
  const { answer, claims } = await fetchTokens(ports, extension, {
    code,
    issuer: parameters.get('iss') ?? null,
    redirectUri: callbackUrlOf(ports.publicUrl, extension),
    verifier: state.upstreamVerifier,
    nonce: state.upstreamNonce,
    mode: state.mode,
  });
  const { mode, redirectUri, target, codeChallenge, nonce } = state;
  return { mode, redirectUri, target, codeChallenge, nonce, answer, claims, receivedAt: ports.clock.now() };
}
