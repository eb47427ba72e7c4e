import { JsonTokens } from '@platform/kernel';
import { isSafeNumber, LosslessNumber, stringify } from 'lossless-json';

/** Token answers and claims have dozens of values; the longest lists are groups. */
const maxValues = 10_000;
/** The limit of a spec. Attack: values that can just be read, but no longer be written, when the stack of the writer is a little fuller. */
const maxDepth = 64;

/**
 * `JSON.parse`, but numbers that JavaScript cannot hold stay as they are, and {@link stringifyExact} writes them so. Providers send user
 * ids of more than 53 bits.
 *
 * Not `parse` of lossless-json, which joins texts character by character and takes a hundred times as long for a long one.
 */
export function parseExact(text: string): unknown {
  return parseNested(text, Number.POSITIVE_INFINITY);
}

/**
 * {@link parseExact} for the text of a provider. Throws SyntaxError for one with more than 10,000 values, or more than 64 levels.
 *
 * Attack: a tenant's provider answers a megabyte of `[{},{},{}]`, which takes seconds to read and to write, and the process serves nobody
 * meanwhile.
 */
export function parseBounded(text: string): unknown {
  if (!hasFewValues(text, ',')) throw new SyntaxError(`the JSON has more than ${maxValues} values`);
  return parseNested(text, maxDepth);
}

/** Whether a text has at most 10,000 values. Separators are counted, since that takes no time, and no provider sends so many in its texts. */
export function hasFewValues(text: string, separator: ',' | '&'): boolean {
  let at = -1;
  for (let values = 1; values <= maxValues; values += 1) {
    at = text.indexOf(separator, at + 1);
    if (at === -1) return true;
  }
  return false;
}

/** `JSON.stringify` for values of {@link parseExact}. */
export function stringifyExact(value: unknown): string {
  return stringify(value) ?? 'null';
}

function parseNested(text: string, levels: number): unknown {
  // Tokens mean nothing in a text that is no JSON.
  JSON.parse(text);
  const tokens = new JsonTokens(text);
  return readValue(tokens, nextOf(tokens), levels);
}

function readValue(tokens: JsonTokens, token: string, levels: number): unknown {
  if (token === '{') return readObject(tokens, levels);
  if (token === '[') return readList(tokens, levels);
  const isNumber = /^[-\d]/.test(token);
  return isNumber && !isSafeNumber(token) ? new LosslessNumber(token) : JSON.parse(token);
}

function readObject(tokens: JsonTokens, levels: number): Record<string, unknown> {
  requireLevel(levels);
  const members: [string, unknown][] = [];
  for (let token = nextOf(tokens); token !== '}'; token = nextOf(tokens)) {
    if (token === ',') continue;
    nextOf(tokens); // the colon
    members.push([JSON.parse(token), readValue(tokens, nextOf(tokens), levels - 1)]);
  }
  // Of two members with one key the last one counts, as for JSON.parse; `__proto__` is a key like any other.
  return Object.fromEntries(members);
}

function readList(tokens: JsonTokens, levels: number): unknown[] {
  requireLevel(levels);
  const items: unknown[] = [];
  for (let token = nextOf(tokens); token !== ']'; token = nextOf(tokens)) {
    if (token !== ',') items.push(readValue(tokens, token, levels - 1));
  }
  return items;
}

function requireLevel(levels: number): void {
  if (levels === 0) throw new SyntaxError(`the JSON is nested deeper than ${maxDepth} levels`);
}

function nextOf(tokens: JsonTokens): string {
  return tokens.next() ?? '';
}
