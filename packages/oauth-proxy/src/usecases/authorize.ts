import { randomValue, secretHash } from '@platform/kernel';
import { callbackUrlOf, type ExtensionName, type ProxyExtension } from '../model/extension.ts';
import { upstreamFingerprint } from '../model/extension-spec.ts';
import { STATE_LIFETIME_MS, type StateRecord } from '../model/flow.ts';
import { type AuthorizeRequest, readAuthorizeRequest } from '../rules/authorize-request.ts';
import { readParameters } from '../rules/parameters.ts';
import { type UpstreamLeg, upstreamAuthorizeUrl } from '../rules/upstream-authorize-url.ts';
import { findExtension } from './find-extension.ts';
import type { ProxyPorts } from './ports.ts';
import { resolveEndpoints } from './resolve-endpoints.ts';
import { sealRecord } from './seal-record.ts';

/** As {@link randomValue} makes it. */
const browserPattern = /^[\w-]{43}$/;

/**
 * Starts a login: remembers the request and returns the URL at the upstream to send the browser to, and the value that a
 * cookie of the browser has to have when it comes back. `query` is the raw query string, `browser` the value of that cookie now.
 * Throws {@link ProxyError}, which is shown to the person and never redirected.
 */
export async function authorize(
  ports: ProxyPorts,
  name: ExtensionName,
  { query, browser }: { readonly query: string; readonly browser: string | null },
): Promise<{ readonly location: string; readonly browser: string }> {
  const extension = await findExtension(ports, name);
  const request = readAuthorizeRequest(readParameters(query), extension);
  const endpoints = await resolveEndpoints(ports, extension.spec);
  const leg: UpstreamLeg = {
    callbackUrl: callbackUrlOf(ports.publicUrl, extension),
    state: randomValue(ports.random),
    nonce: upstreamNonce(ports, request),
    verifier: randomValue(ports.random),
  };
  // One value for all logins of a browser: logins in several tabs must not end each other.
  const binding = browser !== null && browserPattern.test(browser) ? browser : randomValue(ports.random);
  await ports.flows.saveState({
    hash: secretHash(leg.state),
    extensionUid: extension.extensionUid,
    sealed: sealRecord(ports, 'oauth_state', extension, stateRecord(request, leg, extension, binding)),
    expiresAt: ports.clock.now() + STATE_LIFETIME_MS,
  });
  return { location: upstreamAuthorizeUrl(endpoints, extension.spec, request, leg), browser: binding };
}

/** Our own, except for an app that gets upstream's ID token untouched: it has to find its own nonce in there. */
function upstreamNonce(ports: ProxyPorts, request: AuthorizeRequest): string {
  return request.mode === 'passthrough' && request.nonce !== null ? request.nonce : randomValue(ports.random);
}

function stateRecord(
  request: AuthorizeRequest,
  leg: UpstreamLeg,
  extension: ProxyExtension,
  browser: string,
): StateRecord {
  return {
    mode: request.mode,
    redirectUri: request.redirectUri,
    target: request.target,
    appState: request.state,
    codeChallenge: request.codeChallenge,
    nonce: request.nonce,
    upstreamNonce: leg.nonce,
    upstreamVerifier: leg.verifier,
    fingerprint: upstreamFingerprint(extension.spec),
    browserHash: secretHash(browser),
  };
}
