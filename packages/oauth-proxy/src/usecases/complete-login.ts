import { hasHash, OAuthError, randomValue, secretHash } from '@platform/kernel';
import { callbackUrlOf, type ExtensionName, issuerOf, type ProxyExtension } from '../model/extension.ts';
import { upstreamFingerprint } from '../model/extension-spec.ts';
import { type CodeRecord, codeLifetimeMs, type StateRecord, waitingAnswers } from '../model/flow.ts';
import { messages, remedies } from '../model/messages.ts';
import { codeRedirect, errorRedirect } from '../rules/app-redirect.ts';
import { type Parameters, printable } from '../rules/parameters.ts';
import { redirectTarget } from '../rules/redirect-uri.ts';
import { fetchTokens, LoginFailed } from './fetch-tokens.ts';
import { findExtension } from './find-extension.ts';
import type { ProxyPorts } from './ports.ts';
import { sealRecord, unsealRecord } from './seal-record.ts';

/** The authorization response of the upstream (RFC 6749 section 4.1.2). */
export interface CallbackRequest {
  readonly parameters: Parameters;
  /** The value of the cookie that `authorize` set; null without one. */
  readonly browser: string | null;
  /** Whether the browser navigates to a page (`Sec-Fetch-Dest: document`), so that it sends its cookies. */
  readonly opensPage: boolean;
}

/**
 * Completes a login: returns the redirect to the app, with a code or with an error.
 * Throws {@link OAuthError} for a state that is unknown, used or expired: it cannot be traced to an app.
 */
export async function completeLogin(
  ports: ProxyPorts,
  name: ExtensionName,
  request: CallbackRequest,
): Promise<string> {
  const extension = await findExtension(ports, name);
  const { parameters } = request;
  const state = await consumeState(ports, extension, parameters);
  requireSameBrowser(state, request);
  const issuer = issuerOf(ports.publicUrl, extension);
  try {
    const record = await finishLogin(ports, extension, state, parameters);
    return codeRedirect(state, await saveCode(ports, extension, record), issuer);
  } catch (error) {
    if (!(error instanceof LoginFailed)) throw error;
    const { project, extension: extensionName } = extension;
    ports.logger.warn('oauth.login_failed', { project, extension: extensionName, reason: error.logged });
    return errorRedirect(state, error.error, error.description, issuer);
  }
}

/** Stores the answer of the provider under a new code. */
async function saveCode(ports: ProxyPorts, extension: ProxyExtension, record: CodeRecord): Promise<string> {
  const code = randomValue(ports.random);
  const sealed = sealRecord(ports, 'oauth_code', extension, record);
  const { alwaysStored, maxBytes, maxProjectBytes } = waitingAnswers;
  const now = ports.clock.now();
  const stored = await ports.codes.save(
    { hash: secretHash(code), owner: extension.extensionUid, sealed, expiresAt: now + codeLifetimeMs },
    sealed.length > alwaysStored ? { maxBytes, maxProjectBytes, now } : undefined,
  );
  if (!stored) throw new LoginFailed('temporarily_unavailable', messages.waiting);
  return code;
}

async function consumeState(
  ports: ProxyPorts,
  extension: ProxyExtension,
  parameters: Parameters,
): Promise<StateRecord> {
  const state = parameters.get('state');
  const key = state === undefined ? null : { hash: secretHash(state), owner: extension.extensionUid };
  const sealed = key === null ? null : await ports.states.consume(key, ports.clock.now());
  const record = sealed === null ? null : unsealRecord(ports, 'oauth_state', extension, sealed);
  // Attack: the extension is changed to another provider during a login, so that the token endpoint of the second provider gets
  // a code of the first (mix-up, RFC 9700 section 4.4).
  if (record === null || record.fingerprint !== upstreamFingerprint(extension.spec)) {
    throw unknownState();
  }
  requireSameTarget(record, extension);
  return record;
}

/**
 * Attack: a domain leaves the project, or `redirect_uris` is narrowed down, because somebody else controls the address. A login that
 * has begun would still bring a code there.
 */
function requireSameTarget({ redirectUri, target }: StateRecord, extension: ProxyExtension): void {
  let current: string | null = null;
  try {
    current = redirectTarget(redirectUri, extension);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
  }
  if (current !== target) throw unknownState();
}

function unknownState(): OAuthError {
  return new OAuthError('invalid_request', messages.state, { remedy: remedies.state });
}

/**
 * Attack: an attacker starts a login with a PKCE challenge of their own and sends the link to a victim, who logs in; only the
 * attacker can redeem the victim's code (RFC 9700 section 4.7). The check applies to navigations of browsers only: frames send no
 * cookie and programs store none.
 */
function requireSameBrowser({ browserHash }: StateRecord, { browser, opensPage }: CallbackRequest): void {
  if (!opensPage || browserHash === undefined) return;
  if (browser !== null && hasHash(browser, browserHash)) return;
  throw new OAuthError('invalid_request', messages.browser, { remedy: remedies.browser });
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
  const { mode, redirectUri, target, codeChallenge, nonce, fingerprint } = state;
  const login = { mode, redirectUri, target, codeChallenge, nonce, fingerprint };
  return { ...login, answer, claims, receivedAt: ports.clock.now() };
}
