/** A text of JSON or a number. Texts come first, so that no number inside of one is found. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Tells such an integer from a text; no document has a text of this character and digits. */
const mark = '\u{1}';

/** Parses JSON; integers that a number would round are bigints. */
export function parseExactJson(text: string): unknown {
  const marked = text.replace(tokens, (token) =>
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"\\u0001${token}"` : token,
  );
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) && /^-?\d+$/.test(value.slice(1))
      ? BigInt(value.slice(1))
      : value,
  );
}
