import { createHash } from 'node:crypto';
import { Problem } from '@platform/kernel';
import { isResourceName, parseUid } from '../model/names.ts';
import type { DeletionPosition, PagePosition } from '../model/selection.ts';

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
  return encode(`${tokenForm}${name}`);
}

/**
 * The token of the page that begins after a position. It is bound to what is listed: with another path or other selectors it is refused,
 * because its position has no meaning there.
 */
export function pageToken(binding: string, { path, name, uid }: PagePosition): string {
  return encode(`${pageForm}${binding}:${path}:${name}:${uid}`);
}

/** Parses the token of {@link pageToken} that a client gave no or one time. Throws `invalid_query`. */
export function parsePageToken(tokens: readonly string[], binding: string): PagePosition | null {
  const [token, ...more] = tokens;
  if (token === undefined) return null;
  const [form, bound, path, name, uid, ...rest] = (more.length === 0 ? (decode(token) ?? '') : '').split(':');
  if (`${form}:` !== pageForm) {
    // Tokens of the previous release, which has plain lists only.
    return { path: '', name: parseContinue(tokens) ?? '', uid: nilUid };
  }
  if (bound !== binding || path === undefined || name === undefined || uid === undefined || rest.length > 0)
    throw new Problem(
      'invalid_query',
      'continue must be the token of the page before, with the same path, labelSelector and fieldSelector.',
    );
  if (
    !/^[a-z0-9.,-]*$/.test(path) ||
    !isResourceName(name) ||
    parseUid(uid) !== uid ||
    encode(`${pageForm}${bound}:${path}:${name}:${uid}`) !== token
  )
    throw new Problem('invalid_query', 'continue must be the token of the page before, unchanged.');
  return { path, name, uid };
}

/** The opaque token of the page of tombstones after a position. */
export function deletionToken({ time, uid }: DeletionPosition): string {
  return encode(`${deletionForm}${Date.parse(time)}:${uid}`);
}

/** Parses the token of {@link deletionToken} that a client gave no or one time. Throws `invalid_query`. */
export function parseDeletionToken([token, ...more]: readonly string[]): DeletionPosition | null {
  if (token === undefined) return null;
  const text = more.length === 0 ? (decode(token) ?? '') : '';
  const [millis = '', uid = ''] = text.startsWith(deletionForm)
    ? text.slice(deletionForm.length).split(':')
    : [];
  const isTime = /^\d{1,15}$/.test(millis) && Number(millis) <= maxMillis;
  const position =
    isTime && parseUid(uid) === uid ? { time: new Date(Number(millis)).toISOString(), uid } : null;
  // Other encodings of the same position are refused.
  if (position === null || deletionToken(position) !== token)
    throw new Problem('invalid_query', 'continue must be the token of the page before, unchanged.');
  return position;
}

const deletionForm = 'deleted:';
/** The end of the year 9999, the last one that RFC 3339 can write. */
const maxMillis = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const pageForm = 'page:';
const nilUid = '00000000-0000-0000-0000-000000000000';

function encode(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function decode(token: string): string | null {
  if (!/^[A-Za-z0-9_-]{1,3000}$/.test(token) || token.length % 4 === 1) return null;
  return atob(token.replaceAll('-', '+').replaceAll('_', '/'));
}

/** The limit of a page of a history. */
export const historyLimit: LimitRule = { max: 500, fallback: 50 };

/** The opaque token of the page after the entry at these numbers. It is bound to the path: in another history it has no meaning. */
export function numbersToken(path: string, ...numbers: readonly number[]): string {
  const binding = createHash('sha256').update(path).digest('base64url').slice(0, 16);
  return encode(`${numbersForm}${binding}:${numbers.join('.')}`);
}

const numbersForm = 'entry:';

/** Parses a token of {@link numbersToken} with that many numbers, given no or one time. Throws `invalid_query`. */
export function parseNumbers(
  [token, ...more]: readonly string[],
  path: string,
  count: number,
): readonly number[] | null {
  if (token === undefined) return null;
  const [form, , text = ''] = (more.length === 0 ? (decode(token) ?? '') : '').split(':');
  const numbers = `${form}:` === numbersForm ? text.split('.').map(Number) : [];
  if (
    numbers.length !== count ||
    !numbers.every(Number.isSafeInteger) ||
    numbersToken(path, ...numbers) !== token
  ) {
    throw new Problem(
      'invalid_query',
      'continue must be the token of the page before, unchanged and with the same path.',
    );
  }
  return numbers;
}

/** Precedes the name, so that a later form of token can be distinguished from this one. */
const tokenForm = 'after:';

function decodeToken(token: string): string | null {
  const text = decode(token) ?? '';
  const name = text.startsWith(tokenForm) ? text.slice(tokenForm.length) : '';
  // Other encodings of the same name are refused.
  return isResourceName(name) && continueToken(name) === token ? name : null;
}
