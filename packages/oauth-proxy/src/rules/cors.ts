import { webUrl } from '../model/redirect-uri-text.ts';
import { type AppOrigins, isAppOrigin } from './redirect-uri.ts';

/** The headers of an answer that an app's page may read; without a matching origin there are none but `Vary`. */
export function corsHeaders(origin: string | undefined, origins: AppOrigins): Headers {
  return readableBy(origin !== undefined && isAppOrigin(origin, origins) ? origin : undefined);
}

/**
 * The headers of a refusal by the rate limit. Any page may read it, because it tells nothing but when to come back, and looking up
 * the origins of the app would cost what the limit saves.
 */
export function refusalCorsHeaders(origin: string | undefined): Headers {
  return readableBy(isWebOrigin(origin) ? origin : undefined);
}

/** The answer to a preflight request (Fetch standard, section 3.3). No cookies: none of these endpoints reads any. */
export function preflightHeaders(
  origin: string | undefined,
  origins: AppOrigins,
  methods: readonly string[],
): Headers {
  return withMethods(corsHeaders(origin, origins), methods);
}

/** The answer to a preflight request above the rate limit; see {@link refusalCorsHeaders}. */
export function refusalPreflightHeaders(origin: string | undefined, methods: readonly string[]): Headers {
  return { ...withMethods(refusalCorsHeaders(origin), methods), 'Access-Control-Max-Age': '0' };
}

type Headers = Readonly<Record<string, string>>;

function readableBy(origin: string | undefined): Headers {
  // Always there, so that no cache gives one origin the answer that was made for another.
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

// What is echoed into a header is an origin as a URL parser writes it, and nothing else.
function isWebOrigin(origin: string | undefined): origin is string {
  return origin !== undefined && origin.length <= 2048 && webUrl(origin)?.origin === origin;
}
