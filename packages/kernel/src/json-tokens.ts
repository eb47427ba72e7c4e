const marks = '{}[],:';
/**
 * Matches the end of a scalar that is no string. It is searched, because matching millions of digits would exhaust the stack of the
 * regular expression.
 */
const delimiter = /[\s"{}[\],:]/g;
const backslash = 0x5c;
const space = 0x20;

/**
 * Reads the tokens of a JSON text one after the other: marks, strings with their quotes, and other scalars. The text must be valid, or the
 * tokens mean nothing. Exact, unlike `JSON.parse`: numbers keep their digits, and an object may have a key twice.
 */
export class JsonTokens {
  readonly #text: string;
  #end = 0;
  /** Where the last token begins. */
  start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next token; undefined at the end. */
  next(): string | undefined {
    const text = this.#text;
    let start = this.#end;
    while (text.charCodeAt(start) <= space) start += 1;
    const first = text[start];
    if (first === undefined) return undefined;
    this.start = start;
    if (first === '"') this.#end = endOfString(text, start);
    else if (marks.includes(first)) this.#end = start + 1;
    else this.#end = endOfScalar(text, start);
    return text.slice(start, this.#end);
  }
}

function endOfScalar(text: string, start: number): number {
  delimiter.lastIndex = start;
  return delimiter.exec(text)?.index ?? text.length;
}

function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text.charCodeAt(quote - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  throw new Error('a string of the JSON text has no end');
}
