/** The result of {@link scanJson}: the first fault, if any, and the positions of outer members in the text. */
export interface JsonScan {
  readonly fault: string | null;
  /** From JSON pointer to `[start, end)`: members of the containers that {@link recorded} names. */
  readonly slices: ReadonlyMap<string, readonly [number, number]>;
}

interface Container {
  readonly isObject: boolean;
  /** The keys so far; null for an array, and for an object before its second key: most objects of a large body are small. */
  keys: Set<string> | null;
  firstKey: string | null;
  /** The pointer of the container when its members are to be recorded. */
  readonly pointer: string | null;
  /** The pointer and start of the member that is being read. */
  member: string | null;
  memberStart: number;
  /** The index of the current element of an array. */
  index: number;
}

/**
 * Containers whose members are recorded: the root, `metadata`, and on the way to the schemas of a definition `spec` (or the
 * root, when the text is a spec), `versions` and each version.
 */
const recorded = /^(?:|\/metadata|(?:\/spec)?(?:\/versions(?:\/\d+)?)?)$/;

/** Arrays among them whose elements are recorded, and how many. Attack: a pointer for each of 400,000 elements of a body takes seconds. */
const recordedArray = /\/versions$/;
const maxRecordedElements = 1_000;

const quote = 0x22;
const backslash = 0x5c;

/**
 * One pass over text that `JSON.parse` has accepted. It is iterative, so that deep nesting cannot exhaust the stack. It is our
 * own because lossless-json accepts lone surrogates and duplicate keys with equal values, and recurses without a bound.
 */
export function scanJson(
  text: string,
  { maxDepth, duplicateKeys = false }: { readonly maxDepth: number; readonly duplicateKeys?: boolean },
): JsonScan {
  const scanner = new Scanner(text, maxDepth, duplicateKeys);
  return { fault: scanner.run(), slices: scanner.slices };
}

class Scanner {
  readonly slices = new Map<string, readonly [number, number]>();
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #duplicateKeys: boolean;
  readonly #stack: Container[] = [];
  #top: Container | undefined;
  #expectsKey = false;
  #index = 0;

  constructor(text: string, maxDepth: number, duplicateKeys: boolean) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#duplicateKeys = duplicateKeys;
  }

  /** Reads the text to its end or its first fault, and returns the fault. */
  run(): string | null {
    const text = this.#text;
    while (this.#index < text.length) {
      const fault = this.#read(text.charCodeAt(this.#index));
      if (fault !== null) return fault;
      this.#index += 1;
    }
    return null;
  }

  /** Reads the token that begins here, up to its last character. Colons and commas are tokens only outside strings. */
  #read(code: number): string | null {
    switch (code) {
      case quote:
        return this.#readString();
      case 0x3a: // ':'
        if (this.#top !== undefined) this.#top.memberStart = skipSpace(this.#text, this.#index + 1);
        break;
      case 0x2c: // ','
        this.#endMember();
        this.#expectsKey = this.#top?.isObject === true;
        if (this.#top?.isObject === false) beginElement(this.#top, this.#text, this.#index);
        break;
      case 0x7b: // '{'
      case 0x5b: // '['
        return this.#open(code === 0x7b);
      case 0x7d: // '}'
      case 0x5d: // ']'
        this.#endMember();
        this.#stack.pop();
        this.#top = this.#stack.at(-1);
        this.#expectsKey = false;
        break;
    }
    return null;
  }

  #readString(): string | null {
    const { end, escaped, fault } = readString(this.#text, this.#index);
    if (fault === null && this.#expectsKey && this.#top !== undefined) {
      const key = escaped
        ? (JSON.parse(this.#text.slice(this.#index, end)) as string)
        : this.#text.slice(this.#index + 1, end - 1);
      if (!this.#duplicateKeys && !addKey(this.#top, key)) return `duplicate key ${JSON.stringify(key)}`;
      if (this.#top.pointer !== null) this.#top.member = `${this.#top.pointer}/${key}`;
      this.#expectsKey = false;
    }
    this.#index = end - 1;
    return fault;
  }

  #open(isObject: boolean): string | null {
    if (this.#stack.length === this.#maxDepth) return `it is nested deeper than ${this.#maxDepth - 1} levels`;
    const at = this.#top === undefined ? '' : this.#top.member;
    const isRecorded = at !== null && recorded.test(at) && (isObject || recordedArray.test(at));
    const pointer = isRecorded ? at : null;
    this.#top = { isObject, keys: null, firstKey: null, pointer, member: null, memberStart: 0, index: -1 };
    if (!isObject) beginElement(this.#top, this.#text, this.#index);
    this.#stack.push(this.#top);
    this.#expectsKey = isObject;
    return null;
  }

  #endMember(): void {
    const top = this.#top;
    if (top === undefined || top.member === null) return;
    this.slices.set(top.member, [top.memberStart, trimEnd(this.#text, this.#index)]);
    top.member = null;
  }
}

/** Adds a key to an object; false when the object has it. */
function addKey(object: Container, key: string): boolean {
  if (object.firstKey === null) {
    object.firstKey = key;
    return true;
  }
  object.keys ??= new Set([object.firstKey]);
  const { size } = object.keys;
  return object.keys.add(key).size > size;
}

/** Begins the element of an array that follows `index`. */
function beginElement(array: Container, text: string, index: number): void {
  if (array.pointer === null || array.index + 1 >= maxRecordedElements) return;
  array.index += 1;
  array.member = `${array.pointer}/${array.index}`;
  array.memberStart = skipSpace(text, index + 1);
}

/** Reads the string that begins at `start`, and refuses characters that PostgreSQL text cannot hold. */
function readString(text: string, start: number): { end: number; escaped: boolean; fault: string | null } {
  let escaped = false;
  let index = start + 1;
  // A high surrogate needs its low half next, raw or as an escape.
  let high = false;
  for (;;) {
    let code = text.charCodeAt(index);
    if (code === quote) break;
    if (code === backslash) {
      escaped = true;
      if (text.charCodeAt(index + 1) === 0x75) {
        code = Number.parseInt(text.slice(index + 2, index + 6), 16);
        index += 6;
        if (code === 0) return { end: index, escaped, fault: 'it contains a NUL character' };
      } else {
        code = 0x20;
        index += 2;
      }
    } else {
      index += 1;
    }
    const isLow = code >= 0xdc00 && code <= 0xdfff;
    if (isLow !== high) return { end: index, escaped, fault: 'it contains a lone surrogate' };
    high = code >= 0xd800 && code <= 0xdbff;
  }
  return { end: index + 1, escaped, fault: high ? 'it contains a lone surrogate' : null };
}

function skipSpace(text: string, index: number): number {
  let at = index;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

function trimEnd(text: string, end: number): number {
  let at = end;
  while (text.charCodeAt(at - 1) <= 0x20) at -= 1;
  return at;
}
