import { isChallenge } from '@platform/kernel';
import { clientIdOf, type ProxyExtension } from '../model/extension.ts';
import type { FlowMode } from '../model/flow.ts';
import { ProxyError } from '../model/proxy-error.ts';
import { type Parameters, requireShort } from './parameters.ts';
import { redirectTarget } from './redirect-uri.ts';

/** Parameters that mean something to the upstream only. */
const FORWARDED = ['prompt', 'login_hint', 'max_age', 'acr_values', 'ui_locales'] as const;

/**
 * Bytes of each parameter that is kept or sent on. Attack: anonymous requests with long values fill the table of states, where each
 * stays for as long as a login may take.
 */
const kept = { state: 2048, nonce: 512, scope: 4096 } as const;

/** A request to `authorize` that may go on. */
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
 * Judges the parameters of `authorize`. Whatever is refused is a 400 answer, never a redirect: the
 * redirect URI is looked at first, because a wrong one means that nothing else of the request is to be believed.
 */
export function readAuthorizeRequest(parameters: Parameters, extension: ProxyExtension): AuthorizeRequest {
  const redirectUri = parameters.get('redirect_uri') ?? null;
  const target = redirectTarget(redirectUri, extension);
  const clientId = parameters.get('client_id');
  if (clientId !== undefined && clientId !== clientIdOf(extension)) {
    throw new ProxyError('invalid_request', 'client_id is not the client id of this extension');
  }
  const responseType = parameters.get('response_type');
  if (responseType !== undefined && responseType !== 'code') {
    throw new ProxyError('unsupported_response_type', 'response_type must be code');
  }
  refuseUnsupported(parameters);
  requireShort(parameters, kept);
  const request = {
    redirectUri,
    target,
    state: parameters.get('state') ?? null,
    codeChallenge: readChallenge(parameters),
    nonce: parameters.get('nonce') ?? null,
    scope: parameters.get('scope') ?? null,
    forwarded: new Map(FORWARDED.flatMap((name) => pair(name, parameters.get(name)))),
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
    throw new ProxyError('invalid_request', 'code_challenge_method must be S256');
  }
  // Attack: dropping the challenge from a request that has a method left would issue a code that needs no verifier.
  if (challenge === null && method !== undefined)
    throw new ProxyError('invalid_request', 'code_challenge is required');
  if (challenge !== null && !isChallenge(challenge)) {
    throw new ProxyError('invalid_request', 'code_challenge must be the base64url of a SHA-256 hash');
  }
  return challenge;
}

// Ignoring one of these would do something else than the app asked for.
function refuseUnsupported(parameters: Parameters): void {
  if (parameters.has('request')) throw new ProxyError('request_not_supported', 'request is not supported');
  if (parameters.has('request_uri'))
    throw new ProxyError('request_uri_not_supported', 'request_uri is not supported');
  const responseMode = parameters.get('response_mode');
  if (responseMode !== undefined && responseMode !== 'query') {
    throw new ProxyError('invalid_request', 'response_mode must be query');
  }
}
