import type { Json } from '@platform/client';
import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';

/** A number as it was written, when JavaScript would change it; an ordinary one otherwise. */
export function readNumber(text: string): number | LosslessNumber {
  return isSafeNumber(text) ? Number(text) : new LosslessNumber(text);
}

/** JSON that keeps every number to the digit. */
export const losslessJson: Json & { pretty(value: unknown): string } = {
  parse: (text) => parse(text, undefined, readNumber),
  stringify: (value) => stringify(value),
  pretty: (value) => `${stringify(value, undefined, 2)}\n`,
};

/** Whether two values are the same JSON, whatever the order of their members. */
export function sameJson(one: unknown, other: unknown): boolean {
  return stringify(sorted(one)) === stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}
