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
  const slices = new Map<string, readonly [number, number]>();
  const stack: Container[] = [];
  let top: Container | undefined;
  let expectsKey = false;
  let index = 0;

  const endMember = (end: number) => {
    if (top?.member != null) slices.set(top.member, [top.memberStart, trimEnd(text, end)]);
    if (top !== undefined) top.member = null;
  };

  while (index < text.length) {
    const code = text.charCodeAt(index);
    switch (code) {
      case quote: {
        const token = readString(text, index);
        if (token.fault !== null) return { fault: token.fault, slices };
        if (expectsKey && top !== undefined) {
          const key = token.escaped
            ? (JSON.parse(text.slice(index, token.end)) as string)
            : text.slice(index + 1, token.end - 1);
          if (!duplicateKeys && !addKey(top, key))
            return { fault: `duplicate key ${JSON.stringify(key)}`, slices };
          if (top.pointer !== null) top.member = `${top.pointer}/${key}`;
          expectsKey = false;
        }
        index = token.end;
        continue;
      }
      case 0x3a: // ':' only stands outside strings here: the member's value begins
        if (top !== undefined) top.memberStart = skipSpace(text, index + 1);
        break;
      case 0x2c: // ','
        endMember(index);
        expectsKey = top?.isObject === true;
        if (top !== undefined && !expectsKey) beginElement(top, text, index);
        break;
      case 0x7b: // '{'
      case 0x5b: {
        // '['
        if (stack.length === maxDepth)
          return { fault: `it is nested deeper than ${maxDepth - 1} levels`, slices };
        const at: string | null = stack.length === 0 ? '' : (top?.member ?? null);
        const isObject = code === 0x7b;
        const pointer: string | null =
          at !== null && recorded.test(at) && (isObject || recordedArray.test(at)) ? at : null;
        top = { isObject, keys: null, firstKey: null, pointer, member: null, memberStart: 0, index: -1 };
        if (!isObject) beginElement(top, text, index);
        stack.push(top);
        expectsKey = isObject;
        break;
      }
      case 0x7d: // '}'
      case 0x5d: // ']'
        endMember(index);
        stack.pop();
        top = stack.at(-1);
        expectsKey = false;
        break;
    }
    index += 1;
  }
  return { fault: null, slices };
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
