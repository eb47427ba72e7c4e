/** The text form of a PostgreSQL array, for a parameter that the statement casts (`$1::text[]`); null stays null. */
export function arrayLiteral(values: readonly (string | number | boolean | null)[]): string {
  return values.length === 0 ? '{}' : `{${values.map(element).join(',')}}`;
}

const special = /["\\]/g;

function element(value: string | number | boolean | null): string {
  if (value === null) return 'null';
  if (typeof value !== 'string') return String(value);
  return value.includes('"') || value.includes('\\') ? `"${value.replace(special, '\\$&')}"` : `"${value}"`;
}

const noStrings: readonly string[] = [];

/** The strings of a one-dimensional `text[]` in PostgreSQL's text form. It holds no nulls (see the table's checks). */
export function parseArrayLiteral(text: string): readonly string[] {
  if (text === '{}') return noStrings;
  const values: string[] = [];
  const elements = /[{,](?:"((?:[^"\\]|\\.)*)"|([^",}]*))/gy;
  for (let match = elements.exec(text); match !== null; match = elements.exec(text)) {
    values.push(match[1] === undefined ? (match[2] ?? '') : match[1].replace(/\\(.)/gs, '$1'));
  }
  return values;
}

const isoText = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/**
 * RFC 3339 in UTC with milliseconds from PostgreSQL's ISO form. Connections ask for UTC; behind a pooler that ignores
 * the request the offset is another one, and `Date` converts it.
 */
export function parseTimestamp(text: string): string {
  // The usual form; the server omits trailing zeros.
  if (text.length > 25 && text[10] === ' ' && text[19] === '.' && text.endsWith('+00')) {
    return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  }
  const match = isoText.exec(text);
  if (match === null) return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString();
  return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0').slice(0, 3)}Z`;
}
