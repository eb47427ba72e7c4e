const form = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * A time (RFC 3339, section 5.6) in UTC with milliseconds, as PostgreSQL takes it; null for any other text, for days that do not exist, which
 * `Date` takes for those after them, and for years in UTC before 1 and after 9999.
 */
export function parseInstant(text: string): string | null {
  const day = form.exec(text)?.[1];
  if (day === undefined || dayOf(`${day}T00:00:00Z`) !== day) return null;
  const instant = new Date(text);
  const year = Number.isNaN(instant.getTime()) ? 0 : instant.getUTCFullYear();
  return year < 1 || year > 9_999 ? null : instant.toISOString();
}

function dayOf(text: string): string | null {
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString().slice(0, 10);
}

/** The last second of the year 9999, since the epoch. RFC 3339 has no later time, and `Date` and PostgreSQL do not read all of them. */
const lastSecond = 253_402_300_799;

/**
 * Whether a claim of a token is a time (NumericDate, RFC 7519 section 2): seconds since the epoch, at most until the end of 9999.
 *
 * Attack: `1e300`, or milliseconds in place of seconds, is an expiry that never comes.
 */
export function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= lastSecond;
}
