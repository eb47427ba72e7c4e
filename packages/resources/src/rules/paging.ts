import { Problem } from '@platform/kernel';
import { isResourceName } from '../model/names.ts';

/** The bounds of a `limit`, and its default. */
export interface LimitRule {
  readonly max: number;
  readonly fallback: number;
}

/** The limit of a page of a collection. */
export const listLimit: LimitRule = { max: 1000, fallback: 500 };
/** The limit of the list of resources that are being deleted. */
export const pendingDeletionLimit: LimitRule = { max: 1000, fallback: 100 };

/** Parses a limit that a client gave no or one time. Throws `invalid_query` for anything but one integer in the bounds. */
export function parseLimit([text, ...more]: readonly string[], rule: LimitRule): number {
  if (text === undefined) return rule.fallback;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (more.length > 0 || limit < 1 || limit > rule.max) {
    throw new Problem('invalid_query', `limit must be one integer from 1 to ${rule.max}.`);
  }
  return limit;
}

/**
 * Parses a continue token that a client gave no or one time: the last name of the page before, or null for the first page. Throws
 * `invalid_query`.
 */
export function parseContinue([token, ...more]: readonly string[]): string | null {
  if (token === undefined) return null;
  const name = more.length === 0 ? decodeToken(token) : null;
  if (name === null)
    throw new Problem('invalid_query', 'continue must be the token of the page before, unchanged.');
  return name;
}

/** The opaque token of the page after the one that ends with `name`, in base64url so that a URL can hold it unchanged. */
export function continueToken(name: string): string {
  return btoa(`${tokenForm}${name}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The limit of a page of a history. */
export const historyLimit: LimitRule = { max: 500, fallback: 50 };

/** The opaque token of the page after the entry at these numbers. */
export function numbersToken(...numbers: readonly number[]): string {
  return btoa(`${numbersForm}${numbers.join('.')}`)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

const numbersForm = 'entry:';

/** Parses a token of {@link numbersToken} with that many numbers, given no or one time. Throws `invalid_query`. */
export function parseNumbers([token, ...more]: readonly string[], count: number): readonly number[] | null {
  if (token === undefined) return null;
  const isText = more.length === 0 && /^[A-Za-z0-9_-]{1,100}$/.test(token) && token.length % 4 !== 1;
  const text = isText ? atob(token.replaceAll('-', '+').replaceAll('_', '/')) : '';
  const numbers = text.startsWith(numbersForm) ? text.slice(numbersForm.length).split('.').map(Number) : [];
  if (
    numbers.length !== count ||
    !numbers.every(Number.isSafeInteger) ||
    numbersToken(...numbers) !== token
  ) {
    throw new Problem('invalid_query', 'continue must be the token of the page before, unchanged.');
  }
  return numbers;
}

/** Precedes the name, so that a later form of token can be distinguished from this one. */
const tokenForm = 'after:';

function decodeToken(token: string): string | null {
  if (!/^[A-Za-z0-9_-]{1,400}$/.test(token) || token.length % 4 === 1) return null;
  const text = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
  const name = text.startsWith(tokenForm) ? text.slice(tokenForm.length) : '';
  // Other encodings of the same name are refused.
  return isResourceName(name) && continueToken(name) === token ? name : null;
}
