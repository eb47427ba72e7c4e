import {
  allowedOrigins,
  corsHeaders,
  type ExtensionName,
  noOrigins,
  ProxyError,
  type ProxyPorts,
  preflightHeaders,
  type RateLimiter,
  refusalCorsHeaders,
  refusalPreflightHeaders,
} from '@platform/oauth-proxy';

import type { Request, Response } from 'express';
import type { CookieSettings } from '../login/cookies.ts';
import type { Method, Route } from '../route.ts';
import { answerRefusal } from './answer-refusal.ts';

/** What the proxy endpoints are made of. */
export interface OAuthParts {
  readonly ports: ProxyPorts;
  readonly limiter: RateLimiter;
  readonly cookies: CookieSettings;
  /** Bytes of a form. */
  readonly bodyLimit: number;
}

/** How one proxy endpoint differs from the others. */
export interface ProxyEndpoint {
  readonly method: Extract<Method, 'GET' | 'POST'>;
  readonly path: string;
  /** Who reads the answers: scripts of the app (CORS) or the person in front of the browser (error pages). */
  readonly reader: 'script' | 'person';
  handle(parts: OAuthParts, name: ExtensionName, request: Request, response: Response): Promise<void>;
}

/**
 * The route of a proxy endpoint, with all that they share: rate limit, CORS, no caching, refusals as RFC 6749 says.
 * An endpoint for scripts gets its preflight route as well, unless another method of the path has brought it.
 */
export function proxyRoute(endpoint: ProxyEndpoint, options: { readonly preflight: readonly Method[] }) {
  return (parts: OAuthParts): readonly Route[] => {
    const { method, path } = endpoint;
    const handle = (request: Request, response: Response) => run(endpoint, parts, request, response);
    const route: Route = { method, path, access: 'public', handle };
    return options.preflight.length === 0 ? [route] : [route, preflightRoute(path, options.preflight, parts)];
  };
}

async function run(
  endpoint: ProxyEndpoint,
  parts: OAuthParts,
  request: Request,
  response: Response,
): Promise<void> {
  const name = nameOf(request);
  // RFC 6749, section 5.1. Endpoints whose answers may be kept say so themselves.
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Pragma', 'no-cache');
  try {
    const excess = overLimit(parts, name, request);
    if (excess !== null) {
      if (endpoint.reader === 'script') setHeaders(response, refusalCorsHeaders(request.headers.origin));
      throw excess;
    }
    if (endpoint.reader === 'person') response.setHeader('Referrer-Policy', 'no-referrer');
    else setHeaders(response, await crossOrigin(parts, name, request));
    // Attack: a link preview asks with HEAD, and uses up the state or code before its owner comes.
    if (endpoint.reader === 'person' && request.method === 'HEAD') throw headRefused(response);
    await endpoint.handle(parts, name, request, response);
  } catch (error) {
    answerRefusal(request, response, error, { page: endpoint.reader === 'person' });
  }
}

function headRefused(response: Response): ProxyError {
  response.setHeader('Allow', 'GET');
  return new ProxyError('invalid_request', 'HEAD is not valid for this path', { status: 405 });
}

/** Counts before anything is looked up, so that a flood costs a map access a request. */
function overLimit(
  { limiter }: OAuthParts,
  { project, extension }: ExtensionName,
  request: Request,
): ProxyError | null {
  const decision = limiter.take({ extension: `${project}/${extension}`, address: request.ip ?? '' });
  if (decision.allowed) return null;
  return new ProxyError('temporarily_unavailable', 'Too many requests', {
    status: 429,
    retryAfterSeconds: decision.retryAfterSeconds,
  });
}

async function crossOrigin(parts: OAuthParts, name: ExtensionName, request: Request) {
  const { origin } = request.headers;
  const origins = origin === undefined ? noOrigins : await allowedOrigins(parts.ports, name);
  return corsHeaders(origin, origins);
}

function preflightRoute(path: string, methods: readonly Method[], parts: OAuthParts): Route {
  return {
    method: 'OPTIONS',
    path,
    access: 'public',
    async handle(request, response) {
      try {
        const { origin } = request.headers;
        // A refused preflight would show the app a network error. The request that follows gets the 429, which it can read.
        const headers =
          overLimit(parts, nameOf(request), request) === null
            ? preflightHeaders(origin, await allowedOrigins(parts.ports, nameOf(request)), methods)
            : refusalPreflightHeaders(origin, methods);
        setHeaders(response, headers);
        response.status(204).end();
      } catch (error) {
        answerRefusal(request, response, error, { page: false });
      }
    },
  };
}

function nameOf(request: Request): ExtensionName {
  const { project, extension } = request.params;
  return { project: String(project), extension: String(extension) };
}

function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
