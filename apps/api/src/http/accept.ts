import Negotiator from 'negotiator';

/**
 * Characters of a header that lists what the client accepts, at most; a longer one counts as not sent. Browsers send 150.
 *
 * Attack: 16 KB with thousands of entries, which take tens of milliseconds to read
 * (docs/decisions/0038-content-negotiation-with-negotiator.md).
 */
const maxLength = 1_000;

/** The media type that the client prefers, the first of several with equal weight; undefined when it accepts none. */
export function preferredType(
  accept: string | undefined,
  mediaTypes: readonly [string, ...string[]],
): string | undefined {
  return negotiate('accept', accept)?.mediaType([...mediaTypes]) ?? undefined;
}

/** The forms of data. A client that prefers one of them to HTML is a program. */
const dataTypes = ['application/json', 'application/problem+json', 'application/yaml'] as const;

/**
 * Whether the client is a browser that shows pages: `Accept` names HTML, and no form of data with the same or a greater weight before it.
 * `HttpURLConnection` of Java names HTML and images for every program.
 */
export function asksForPage(accept: string | undefined): boolean {
  const header = accept?.toLowerCase();
  const named = negotiate('accept', header)?.mediaTypes() ?? [];
  const isJava = named.includes('image/gif') && !named.includes('application/xhtml+xml');
  return (
    named.includes('text/html') &&
    !isJava &&
    preferredType(header, [...dataTypes, 'text/html']) === 'text/html'
  );
}

/** The content codings among `codings` that the client accepts (RFC 9110, section 12.5.3). */
export function acceptedCodings(
  acceptEncoding: string | undefined,
  codings: readonly string[],
): readonly string[] {
  return negotiate('accept-encoding', acceptEncoding)?.encodings([...codings]) ?? [];
}

function negotiate(name: 'accept' | 'accept-encoding', value: string | undefined): Negotiator | null {
  return value === undefined || value.length > maxLength
    ? null
    : new Negotiator({ headers: { [name]: value } });
}
