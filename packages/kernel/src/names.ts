/** The source of {@link dnsLabelPattern}, for patterns that contain it. */
export const dnsLabel = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';

/** A DNS label in lower case, at most 63 characters (RFC 1123, section 2.1). */
export const dnsLabelPattern = new RegExp(`^${dnsLabel}$`);

const providerName = /^(?=.*\S)[^\p{C}]{1,255}$/u;

/**
 * Whether the value is a name that an identity provider may give to a user, a session or a token. PostgreSQL can store it unchanged and
 * an index can hold it.
 */
export function isProviderName(value: unknown): value is string {
  return typeof value === 'string' && providerName.test(value);
}

/**
 * An e-mail address in the form that addresses are compared in: A to Z folded to lower case, and nothing else.
 * Attack: Unicode folds the Kelvin sign to `k`, so that a look-alike address would become an operator's.
 */
export function foldEmailCase(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Looks up the TXT records of a name, one text per record. Must return within a bounded time: an empty list if there are no records,
 * null if no name server responds.
 */
export type TxtLookup = (name: string) => Promise<readonly string[] | null>;
