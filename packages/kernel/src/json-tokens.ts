/** The beginning of a string, another mark, or another scalar, after white space. */
const next = /\s*(?:(["{}[\],:])|[^\s"{}[\],:]+)/y;
const backslash = 0x5c;

/**
 * Reads the tokens of a JSON text one after the other: marks, strings with their quotes, and other scalars. The text must be valid, or the
 * tokens mean nothing. Exact, unlike `JSON.parse`: numbers keep their digits, and an object may have a key twice.
 */
export class JsonTokens {
  readonly #text: string;
  #at = 0;
  /** Where the last token begins. */
  start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next token; undefined at the end. */
  next(): string | undefined {
    next.lastIndex = this.#at;
    const match = next.exec(this.#text);
    if (match === null) return undefined;
    const [token, mark] = match;
    this.#at = next.lastIndex;
    if (mark === '"') return this.#string();
    const text = mark ?? token.trimStart();
    this.start = this.#at - text.length;
    return text;
  }

  /** The string whose first quote was read. A regular expression would exhaust its stack in a string with millions of escapes. */
  #string(): string {
    const text = this.#text;
    this.start = this.#at - 1;
    for (let quote = text.indexOf('"', this.#at); quote !== -1; quote = text.indexOf('"', quote + 1)) {
      let escapes = 0;
      while (text.charCodeAt(quote - 1 - escapes) === backslash) escapes += 1;
      if (escapes % 2 === 1) continue;
      this.#at = quote + 1;
      return text.slice(this.start, this.#at);
    }
    throw new Error('a string of the JSON text has no end');
  }
}
