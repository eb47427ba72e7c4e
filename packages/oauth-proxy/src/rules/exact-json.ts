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

/** `JSON.stringify` for values of {@link parseExact}. */
export function stringifyExact(value: unknown): string {
  return stringify(value) ?? 'null';
}
