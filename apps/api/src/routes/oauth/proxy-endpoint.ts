import { OAuthError, Problem } from '@platform/kernel';
import {
  corsHeaders,
  type ExtensionName,
  findAppOrigins,
  noOrigins,
  type ProxyPorts,
  preflightHeaders,
  type RateLimiter,
  refusalCorsHeaders,
  refusalPreflightHeaders,
} from '@platform/oauth-proxy';
import { z } from 'zod';
import { type Answer, empty, json } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import { type Endpoint, endpoint } from '../../endpoint/descriptor.ts';
import type { EndpointDocs, Method } from '../../endpoint/documentation.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { htmlPage, wantsHtml } from '../../http/page.ts';
import { problemHeaders } from '../../http/send-problem.ts';
import type { CookieSettings } from '../login/cookies.ts';

/** The dependencies of the proxy endpoints. */
export interface OAuthDeps {
  readonly ports: ProxyPorts;
  readonly limiter: RateLimiter;
  readonly cookies: CookieSettings;
}

/** The common part of the declarations of all proxy endpoints. */
const proxied = {
  access: 'public',
  unlimited: 'counted for each extension and address before anything else',
  tag: 'OAuth proxy',
  params: z.object({ project: z.string(), extension: z.string() }),
  // RFC 6749 section 5.1. Endpoints with cacheable responses replace the header.
  headers: noStore,
} as const;

/** An endpoint whose responses are read by scripts of the app (CORS). */
export const forScripts = {
  ...proxied,
  onError: (error: unknown) => refusalAnswer(error),
} as const;

/** An endpoint whose responses are shown to the user of the browser (error pages). */
export const forPeople = {
  ...proxied,
  errorPages: true,
  onError: (error: unknown, call: Call) => refusalAnswer(error, call),
} as const;

/** The OAuth errors that every endpoint of the proxy may answer, by status. */
export const commonErrors: NonNullable<EndpointDocs['oauthErrors']> = {
  400: ['invalid_request'],
  404: ['invalid_request'],
  429: ['temporarily_unavailable'],
  500: ['server_error'],
  502: ['server_error'],
  503: ['temporarily_unavailable'],
};

/** Records a step of a login through an extension. The outcome of a failed one is decided by the provider or the app. */
export function recordFlow(
  call: Call,
  { project, extension }: ExtensionName,
  action: 'oauth.flow_started' | 'oauth.flow_completed' | 'oauth.flow_failed',
  details: Readonly<Record<string, unknown>> = {},
): void {
  const outcome = action === 'oauth.flow_failed' ? 'failed' : 'allowed';
  call.audit({ action, outcome, project, details: { extension, ...details } });
}

/** Counts a request of a script and sets its CORS headers, before anything else. */
export async function admitScript(deps: OAuthDeps, name: ExtensionName, call: Call): Promise<void> {
  const { origin } = call.headers;
  const excess = overLimit(deps, name, call);
  if (excess !== null) {
    call.setHeaders(refusalCorsHeaders(origin));
    throw excess;
  }
  const origins = origin === undefined ? noOrigins : await findAppOrigins(deps.ports, name);
  call.setHeaders(corsHeaders(origin, origins));
}

/** Counts a request of a browser. Attack: a link preview sends HEAD and uses up the state or code before the user does. */
export function admitPerson(deps: OAuthDeps, name: ExtensionName, call: Call): void {
  const excess = overLimit(deps, name, call);
  if (excess !== null) throw excess;
  call.setHeaders({ 'Referrer-Policy': 'no-referrer' });
  if (call.method === 'HEAD') {
    call.setHeaders({ Allow: 'GET' });
    throw new OAuthError('invalid_request', 'HEAD is not valid for this path', { status: 405 });
  }
}

/** The preflight of a path that scripts request with the methods (CORS). */
export function preflight(path: string, id: string, methods: readonly Method[]): Endpoint<OAuthDeps> {
  const { headers: _noStore, ...rest } = forScripts;
  return endpoint({
    ...rest,
    method: 'OPTIONS',
    path,
    id: `${id}Preflight`,
    summary: 'Answer the preflight of a browser',
    description: 'For the origins of the project and for localhost (CORS).',
    responses: {
      204: { description: 'With CORS headers for an allowed origin only.' },
    },
    oauthErrors: commonErrors,
    async handle(deps: OAuthDeps, { params }, call) {
      const { origin } = call.headers;
      // A rejected preflight would appear as a network error. The request after it gets a 429, which the app can read.
      const headers =
        overLimit(deps, params, call) === null
          ? preflightHeaders(origin, await findAppOrigins(deps.ports, params), methods)
          : refusalPreflightHeaders(origin, methods);
      return empty(204, headers);
    },
  });
}

/** Counts the request before any look-up, so that a flood costs one map access per request. */
function overLimit(
  { limiter }: OAuthDeps,
  { project, extension }: ExtensionName,
  { address }: Call,
): OAuthError | null {
  const decision = limiter.take({ name: `${project}/${extension}`, address });
  if (decision.allowed) return null;
  return new OAuthError('temporarily_unavailable', 'Too many requests', {
    status: 429,
    retryAfterSeconds: decision.retryAfterSeconds,
  });
}

/** The error as RFC 6749 section 5.2 requires, or as a page if the browser accepts HTML; null for internal errors. */
function refusalAnswer(error: unknown, browser?: Call): Answer | null {
  const refusal = asRefusal(error);
  if (refusal === null) return null;
  const headers = refusalHeaders(refusal, error);
  const early = error instanceof Problem && error.code === 'payload_too_large';
  if (browser !== undefined && wantsHtml(browser)) {
    const advice = refusal.remedy ?? 'Go back to the app and start the login again.';
    const note = `Error ${refusal.code} · request ${browser.id}`;
    const title = 'The login could not go on';
    const page = { title, paragraphs: [refusal.message, advice], note };
    return { ...htmlPage(refusal.status, page, headers), early };
  }
  return { ...json(refusal.status, refusal.body, headers), early };
}

/** The OAuth error for a problem of the layers below; null for internal errors. */
function asRefusal(error: unknown): OAuthError | null {
  if (error instanceof OAuthError) return error;
  if (!(error instanceof Problem) || error.status === 500) return null;
  const code = error.status >= 500 || error.status === 429 ? 'temporarily_unavailable' : 'invalid_request';
  return new OAuthError(code, error.message, { status: error.status });
}

function refusalHeaders(refusal: OAuthError, error: unknown): Readonly<Record<string, string>> {
  const { challenge, retryAfterSeconds } = refusal;
  return {
    ...(error instanceof Problem ? problemHeaders(error) : {}),
    ...(challenge === undefined ? {} : { 'WWW-Authenticate': challenge }),
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
  };
}
