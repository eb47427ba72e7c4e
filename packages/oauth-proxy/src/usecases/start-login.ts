import { isRandomValue, type OAuthError, randomValue, secretHash } from '@platform/kernel';
import { callbackUrlOf, type ExtensionName, type ProxyExtension } from '../model/extension.ts';
import { upstreamFingerprint } from '../model/extension-spec.ts';
import { type StateRecord, stateLifetimeMs } from '../model/flow.ts';
import { type AuthorizeRequest, readAuthorizeRequest } from '../rules/authorize-request.ts';
import type { Parameters } from '../rules/parameters.ts';
import { type UpstreamAuthorizationRequest, upstreamAuthorizeUrl } from '../rules/upstream-authorize-url.ts';
import { findExtension } from './find-extension.ts';
import type { ProxyPorts } from './ports.ts';
import { resolveEndpoints } from './resolve-endpoints.ts';
import { sealRecord } from './seal-record.ts';

/**
 * Starts a login: stores the request and returns the URL of the upstream's authorization endpoint, and the value of the cookie that
 * binds the login to the browser. `browser` is the present value of that cookie.
 * Throws {@link OAuthError}, which is shown to the user and never redirected.
 */
export async function startLogin(
  ports: ProxyPorts,
  name: ExtensionName,
  { parameters, browser }: { readonly parameters: Parameters; readonly browser: string | null },
): Promise<{ readonly location: string; readonly browser: string }> {
  const extension = await findExtension(ports, name);
  const request = readAuthorizeRequest(parameters, extension);
  const endpoints = await resolveEndpoints(ports, extension.spec);
  const upstream: UpstreamAuthorizationRequest = {
    callbackUrl: callbackUrlOf(ports.publicUrl, extension),
    state: randomValue(ports.random),
    nonce: upstreamNonce(ports, request),
    verifier: randomValue(ports.random),
  };
  // All logins of a browser share one value, so that logins in several tabs do not invalidate each other.
  const binding = browser !== null && isRandomValue(browser) ? browser : randomValue(ports.random);
  await ports.states.save({
    hash: secretHash(upstream.state),
    owner: extension.extensionUid,
    sealed: sealRecord(ports, 'oauth_state', extension, stateRecord(request, upstream, extension, binding)),
    expiresAt: ports.clock.now() + stateLifetimeMs,
  });
  return { location: upstreamAuthorizeUrl(endpoints, extension.spec, request, upstream), browser: binding };
}

/** A nonce of our own, except in passthrough mode: the app must find its own nonce in the upstream's ID token. */
function upstreamNonce(ports: ProxyPorts, request: AuthorizeRequest): string {
  return request.mode === 'passthrough' && request.nonce !== null ? request.nonce : randomValue(ports.random);
}

function stateRecord(
  request: AuthorizeRequest,
  upstream: UpstreamAuthorizationRequest,
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
    upstreamNonce: upstream.nonce,
    upstreamVerifier: upstream.verifier,
    fingerprint: upstreamFingerprint(extension.spec),
    browserHash: secretHash(browser),
  };
}
