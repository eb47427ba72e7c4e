import { webUrl } from '../model/redirect-uri-text.ts';
import { type AppOrigins, isAppOrigin } from './redirect-uri.ts';

/** The headers of a response that a page of the app may read; without a matching origin only `Vary`. */
export function corsHeaders(origin: string | undefined, origins: AppOrigins): Headers {
  return readableBy(origin !== undefined && isAppOrigin(origin, origins) ? origin : undefined);
}

/**
 * The headers of a 429 response. Any page may read it: it contains only the time to retry, and a look-up of the app's origins
 * would cost as much as the limit saves.
 */
export function refusalCorsHeaders(origin: string | undefined): Headers {
  return readableBy(isWebOrigin(origin) ? origin : undefined);
}

/** The response to a preflight request (Fetch standard section 3.3). Credentials are not allowed: these endpoints read no cookies. */
export function preflightHeaders(
  origin: string | undefined,
  origins: AppOrigins,
  methods: readonly string[],
): Headers {
  return withMethods(corsHeaders(origin, origins), methods);
}

/** The response to a preflight request above the rate limit; see {@link refusalCorsHeaders}. */
export function refusalPreflightHeaders(origin: string | undefined, methods: readonly string[]): Headers {
  return { ...withMethods(refusalCorsHeaders(origin), methods), 'Access-Control-Max-Age': '0' };
}

type Headers = Readonly<Record<string, string>>;

function readableBy(origin: string | undefined): Headers {
  // Sent always, so that no cache serves one origin the response for another.
  const vary = { Vary: 'Origin' };
  if (origin === undefined) return vary;
  return {
    ...vary,
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'WWW-Authenticate, Retry-After, X-Request-Id',
  };
}

function withMethods(headers: Headers, methods: readonly string[]): Headers {
  if (!Object.hasOwn(headers, 'Access-Control-Allow-Origin')) return headers;
  return {
    ...headers,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept',
    'Access-Control-Max-Age': '600',
  };
}

// Only a canonical origin is copied into a header.
function isWebOrigin(origin: string | undefined): origin is string {
  return origin !== undefined && origin.length <= 2048 && webUrl(origin)?.origin === origin;
}
