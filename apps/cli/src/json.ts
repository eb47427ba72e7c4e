import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import type { Json } from 'platform-service-client';

/** A JavaScript number, or a LosslessNumber when JavaScript would change the digits. */
export function readNumber(text: string): number | LosslessNumber {
  return isSafeNumber(text) ? Number(text) : new LosslessNumber(text);
}

/** JSON that keeps the exact digits of every number. */
export const losslessJson: Json & { pretty(value: unknown): string } = {
  parse: (text) => parse(text, undefined, readNumber),
  stringify: (value) => stringify(value),
  pretty: (value) => `${stringify(value, undefined, 2)}\n`,
};

/** Whether two values are the same JSON. The order of members does not matter. */
export function sameJson(one: unknown, other: unknown): boolean {
  return stringify(sorted(one)) === stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}
