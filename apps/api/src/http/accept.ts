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

/** Whether `Accept` names the media type. The weight 0 refuses it (RFC 9110, section 12.4.2). */
export function acceptsByName(accept: string | undefined, mediaType: string): boolean {
  return negotiate('accept', accept?.toLowerCase())?.mediaTypes().includes(mediaType) === true;
}

/** Those of the content codings that the client accepts (RFC 9110, section 12.5.3). */
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
