import { Problem } from '@platform/kernel';

/** The bounds of a `limit`, and its default. */
export interface LimitRule {
  readonly max: number;
  readonly fallback: number;
}

/** The limit of a page of a collection. */
export const listLimit: LimitRule = { max: 1000, fallback: 500 };
/** The limit of the list of resources that are being deleted. */
export const pendingDeletionLimit: LimitRule = { max: 1000, fallback: 100 };
/** The limit of a page of a history. */
export const historyLimit: LimitRule = { max: 500, fallback: 50 };

/** Parses a limit that a client gave no or one time. Throws `invalid_query` for anything but one integer in the bounds. */
export function parseLimit([text, ...more]: readonly string[], rule: LimitRule): number {
  if (text === undefined) return rule.fallback;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (more.length > 0 || limit < 1 || limit > rule.max) {
    throw new Problem('invalid_query', `limit must be one integer from 1 to ${rule.max}.`);
  }
  return limit;
}
