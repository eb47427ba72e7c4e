import { isChallenge, OAuthError } from '@platform/kernel';
import { clientIdOf, type ProxyExtension } from '../model/extension.ts';
import type { FlowMode } from '../model/flow.ts';
import { type Parameters, requireShort } from './parameters.ts';
import { redirectTarget } from './redirect-uri.ts';

/** Parameters that the proxy passes on to the upstream. */
const forwardedParameters = ['prompt', 'login_hint', 'max_age', 'acr_values', 'ui_locales'] as const;

/**
 * The longest values in bytes of parameters that are stored or passed on. Attack: anonymous requests with long values fill the table of
 * states, where each stays until its login expires.
 */
const maxBytes = { state: 2048, nonce: 512, scope: 4096 } as const;

/** A valid request to `authorize`. */
export interface AuthorizeRequest {
  readonly mode: FlowMode;
  readonly redirectUri: string | null;
  readonly target: string;
  readonly state: string | null;
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly scope: string | null;
  readonly forwarded: ReadonlyMap<string, string>;
}

/**
 * Validates the parameters of `authorize`. Errors are 400 responses, never redirects. The redirect URI is validated first: with
 * a wrong one, no other part of the request can be trusted.
 */
export function readAuthorizeRequest(parameters: Parameters, extension: ProxyExtension): AuthorizeRequest {
  const redirectUri = parameters.get('redirect_uri') ?? null;
  const target = redirectTarget(redirectUri, extension);
  const clientId = parameters.get('client_id');
  if (clientId !== undefined && clientId !== clientIdOf(extension)) {
    throw new OAuthError('invalid_request', 'client_id is not the client id of this extension');
  }
  const responseType = parameters.get('response_type');
  if (responseType !== undefined && responseType !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code');
  }
  refuseUnsupported(parameters);
  requireShort(parameters, maxBytes);
  const request = {
    redirectUri,
    target,
    state: parameters.get('state') ?? null,
    codeChallenge: readChallenge(parameters),
    nonce: parameters.get('nonce') ?? null,
    scope: parameters.get('scope') ?? null,
    forwarded: new Map(forwardedParameters.flatMap((name) => pair(name, parameters.get(name)))),
  };
  return { ...request, mode: flowMode(request, responseType !== undefined && clientId !== undefined) };
}

function pair(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]];
}

function flowMode(request: { scope: string | null; nonce: string | null }, complete: boolean): FlowMode {
  const asksForOpenId = request.scope?.split(' ').includes('openid') === true || request.nonce !== null;
  return complete && asksForOpenId ? 'oidc' : 'passthrough';
}

function readChallenge(parameters: Parameters): string | null {
  const challenge = parameters.get('code_challenge') ?? null;
  const method = parameters.get('code_challenge_method');
  if (method !== undefined && method !== 'S256') {
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256');
  }
  // Attack: a request whose challenge was removed would get a code that needs no verifier.
  if (challenge === null && method !== undefined)
    throw new OAuthError('invalid_request', 'code_challenge is required');
  if (challenge !== null && !isChallenge(challenge)) {
    throw new OAuthError('invalid_request', 'code_challenge must be the base64url of a SHA-256 hash');
  }
  return challenge;
}

// Ignoring one of these would silently do something else than the app requested.
function refuseUnsupported(parameters: Parameters): void {
  if (parameters.has('request')) throw new OAuthError('request_not_supported', 'request is not supported');
  if (parameters.has('request_uri'))
    throw new OAuthError('request_uri_not_supported', 'request_uri is not supported');
  const responseMode = parameters.get('response_mode');
  if (responseMode !== undefined && responseMode !== 'query') {
    throw new OAuthError('invalid_request', 'response_mode must be query');
  }
}
