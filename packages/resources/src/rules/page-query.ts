import { Problem } from '@platform/kernel';
import { isResourceName } from '../model/names.ts';

/** The bounds of a `limit`, and what holds without one. */
export interface LimitRule {
  readonly max: number;
  readonly fallback: number;
}

/** Collections: 1 to 1000, default 500 (contract 2). */
export const listLimit: LimitRule = { max: 1000, fallback: 500 };
/** Pending deletion: 1 to 1000, default 100 (specification, "Limits"). */
export const pendingDeletionLimit: LimitRule = { max: 1000, fallback: 100 };

/** Reads `?limit=`; anything but one integer in the bounds is `invalid_query`. */
export function readLimit(query: URLSearchParams, rule: LimitRule): number {
  const [text, ...more] = query.getAll('limit');
  if (text === undefined) return rule.fallback;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (more.length > 0 || limit < 1 || limit > rule.max) {
    throw new Problem('invalid_query', `limit must be one integer from 1 to ${rule.max}.`);
  }
  return limit;
}

/** Reads `?continue=`: the name that the page before ended with, or null for the first page. */
export function readContinue(query: URLSearchParams): string | null {
  const [token, ...more] = query.getAll('continue');
  if (token === undefined) return null;
  const name = more.length === 0 ? decodeToken(token) : null;
  if (name === null)
    throw new Problem('invalid_query', 'continue must be the token of the page before, unchanged.');
  return name;
}

/** The opaque token of the page after the one that ends with `name`: base64url, so that it fits a URL as it is. */
export function continueToken(name: string): string {
  return btoa(`${tokenForm}${name}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Stands in front of the name, so that a later form of token can tell an old one. */
const tokenForm = 'after:';

function decodeToken(token: string): string | null {
  if (!/^[A-Za-z0-9_-]{1,400}$/.test(token) || token.length % 4 === 1) return null;
  const text = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
  const name = text.startsWith(tokenForm) ? text.slice(tokenForm.length) : '';
  // Only the one spelling that was handed out counts.
  return isResourceName(name) && continueToken(name) === token ? name : null;
}
