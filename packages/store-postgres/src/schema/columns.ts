import { customType } from 'drizzle-orm/pg-core';

/** A column whose values travel as PostgreSQL's text for them: documents must not be parsed on the way. */
function rawText(sqlType: string) {
  return customType<{ data: string; driverData: string }>({ dataType: () => sqlType });
}

/** `json` as raw text, kept to the byte. */
export const rawJson = rawText('json');
/** `jsonb` as raw text. */
export const rawJsonb = rawText('jsonb');

/** `json` whose values are read and written here; `parse` reads the text. */
export function parsedJson<T>(parse: (text: string) => T) {
  return customType<{ data: T; driverData: string }>({
    dataType: () => 'json',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: parse,
  });
}

/** `timestamptz(3)` as RFC 3339 text in UTC with milliseconds. */
export const instant = rawText('timestamp (3) with time zone');

/** Milliseconds since the epoch as the text of a timestamp. */
export function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}
