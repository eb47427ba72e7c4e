import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';

/**
 * `JSON.parse`, but numbers that JavaScript cannot hold stay as they are, and {@link stringifyExact} writes them so. Providers send user
 * ids of more than 53 bits.
 */
export function parseExact(text: string): unknown {
  return parse(text, null, {
    parseNumber: (number) => (isSafeNumber(number) ? Number(number) : new LosslessNumber(number)),
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

/** Token answers and claims have dozens of values; the longest lists are groups. */
const maxValues = 10_000;

/**
 * {@link parseExact} for the text of a provider. Throws SyntaxError for one with more than 10,000 values.
 *
 * Attack: a tenant's provider answers a megabyte of `[{},{},{}]`, which takes seconds to read and to write, and the process serves nobody
 * meanwhile. Commas are counted, since that takes no time, and no provider sends so many in its texts.
 */
export function parseBounded(text: string): unknown {
  let at = -1;
  for (let values = 1; values <= maxValues; values += 1) {
    at = text.indexOf(',', at + 1);
    if (at === -1) return parseExact(text);
  }
  throw new SyntaxError(`the JSON has more than ${maxValues} values`);
}

/** `JSON.stringify` for values of {@link parseExact}. */
export function stringifyExact(value: unknown): string {
  return stringify(value) ?? 'null';
}
