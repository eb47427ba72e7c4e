import { type AppOrigins, isAppOrigin } from './redirect-uri.ts';

/** The headers of an answer that an app's page may read; without a matching origin there are none but `Vary`. */
export function corsHeaders(
  origin: string | undefined,
  origins: AppOrigins,
): Readonly<Record<string, string>> {
  // Always there, so that no cache gives one origin the answer that was made for another.
  const vary = { Vary: 'Origin' };
  if (origin === undefined || !isAppOrigin(origin, origins)) return vary;
  return {
    ...vary,
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'WWW-Authenticate, Retry-After, X-Request-Id',
  };
}

/** The answer to a preflight request (Fetch standard, section 3.3). No cookies: none of these endpoints reads any. */
export function preflightHeaders(
  origin: string | undefined,
  origins: AppOrigins,
  methods: readonly string[],
): Readonly<Record<string, string>> {
  const headers = corsHeaders(origin, origins);
  if (!Object.hasOwn(headers, 'Access-Control-Allow-Origin')) return headers;
  return {
    ...headers,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept',
    'Access-Control-Max-Age': '600',
  };
}
