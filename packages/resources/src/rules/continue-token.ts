import { createHash } from 'node:crypto';
import { Problem, type SealContext, type Sealer } from '@platform/kernel';
import { isResourceName, nilUid, parseUid } from '../model/names.ts';
import type { DeletionPosition, PagePosition } from '../model/selection.ts';

// A continue token is the position after which the next page begins: a form and a text, in base64url, so that a URL can hold it unchanged.
// The parsers take what a client sent: no token for the first page, or one. They refuse other encodings of the same position, so that
// clients cannot rely on what is in a token.
const nameForm = 'after:';
const positionForm = 'page:';
const deletionForm = 'deleted:';
const numbersForm = 'entry:';

/** The token of the page after the one that ends with `name`. */
export function continueToken(name: string): string {
  return tokenOf(nameForm, name);
}

/** Parses a token of {@link continueToken}. Throws `invalid_query`. */
export function parseContinue(tokens: readonly string[]): string | null {
  if (tokens.length === 0) return null;
  const name = textIn(tokens, nameForm);
  if (name === null || !isResourceName(name) || continueToken(name) !== tokens[0]) throw invalidToken();
  return name;
}

/**
 * The token of the page after a position. It is bound to what is listed: with another path or other selectors it is refused, because its
 * position has no meaning there.
 */
export function pageToken(binding: string, { path, name, uid }: PagePosition): string {
  return tokenOf(positionForm, [binding, path, name, uid].join(':'));
}

/** Parses a token of {@link pageToken}. Throws `invalid_query`. */
export function parsePageToken(tokens: readonly string[], binding: string): PagePosition | null {
  if (tokens.length === 0) return null;
  const text = textIn(tokens, positionForm);
  // Tokens of the previous release, which has plain lists only.
  if (text === null) return { path: '', name: parseContinue(tokens) ?? '', uid: nilUid };
  const position = positionIn(text, binding);
  if (pageToken(binding, position) !== tokens[0]) throw invalidToken();
  return position;
}

/**
 * As {@link pageToken}, for a caller whose access depends on bindings.
 *
 * Attack: a page that finds little ends at a resource of somebody else, and its token has the names and the uid of that one. With positions
 * of their own making, callers would find more of them. So the position is sealed.
 */
export function sealedPageToken(sealer: Sealer, binding: string, { path, name, uid }: PagePosition): string {
  return sealer.seal([path, name, uid].join(':'), positionContext(binding));
}

/** Parses a token of {@link sealedPageToken}. Throws `invalid_query`. */
export function parseSealedPageToken(
  sealer: Sealer,
  tokens: readonly string[],
  binding: string,
): PagePosition | null {
  const [token = '', ...more] = tokens;
  if (tokens.length === 0) return null;
  const text = more.length > 0 ? null : sealer.unseal(token, positionContext(binding));
  if (text === null) throw otherList();
  return positionIn(`${binding}:${text}`, binding);
}

function positionContext(binding: string): SealContext {
  return { purpose: 'page_position', list: binding };
}

function positionIn(text: string, binding: string): PagePosition {
  const [bound, path, name, uid, ...rest] = text.split(':');
  if (bound !== binding || path === undefined || name === undefined || uid === undefined || rest.length > 0)
    throw otherList();
  if (!/^[a-z0-9.,-]*$/.test(path) || !isResourceName(name) || parseUid(uid) !== uid) throw invalidToken();
  return { path, name, uid };
}

function otherList(): Problem {
  return new Problem(
    'invalid_query',
    'continue must be the token of the page before, with the same path, labelSelector and fieldSelector.',
  );
}

/** The end of the year 9999, the last one that RFC 3339 can write. */
const maxMillis = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The token of the page of tombstones after a position. */
export function deletionToken({ time, uid }: DeletionPosition): string {
  return tokenOf(deletionForm, `${Date.parse(time)}:${uid}`);
}

/** Parses a token of {@link deletionToken}. Throws `invalid_query`. */
export function parseDeletionToken(tokens: readonly string[]): DeletionPosition | null {
  if (tokens.length === 0) return null;
  const [millis = '', uid = ''] = (textIn(tokens, deletionForm) ?? '').split(':');
  const isTime = /^\d{1,15}$/.test(millis) && Number(millis) <= maxMillis;
  if (!isTime || parseUid(uid) !== uid) throw invalidToken();
  const position = { time: new Date(Number(millis)).toISOString(), uid };
  if (deletionToken(position) !== tokens[0]) throw invalidToken();
  return position;
}

/** The token of the page after the entry at these numbers. It is bound to the path: in another history it has no meaning. */
export function numbersToken(path: string, ...numbers: readonly number[]): string {
  const binding = createHash('sha256').update(path).digest('base64url').slice(0, 16);
  return tokenOf(numbersForm, `${binding}:${numbers.join('.')}`);
}

/** Parses a token of {@link numbersToken} with that many numbers. Throws `invalid_query`. */
export function parseNumbers(
  tokens: readonly string[],
  path: string,
  count: number,
): readonly number[] | null {
  if (tokens.length === 0) return null;
  const [, text = ''] = (textIn(tokens, numbersForm) ?? '').split(':');
  const numbers = text.split('.').map(Number);
  const isValid = numbers.length === count && numbers.every(Number.isSafeInteger);
  if (!isValid || numbersToken(path, ...numbers) !== tokens[0])
    throw new Problem(
      'invalid_query',
      'continue must be the token of the page before, unchanged and with the same path.',
    );
  return numbers;
}

function tokenOf(form: string, text: string): string {
  return btoa(form + text)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** The text of the one token; null when it has another form, or a client sent several. */
function textIn([token = '', ...more]: readonly string[], form: string): string | null {
  if (more.length > 0 || !/^[A-Za-z0-9_-]{1,3000}$/.test(token) || token.length % 4 === 1) return null;
  const text = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
  return text.startsWith(form) ? text.slice(form.length) : null;
}

function invalidToken(): Problem {
  return new Problem('invalid_query', 'continue must be the token of the page before, unchanged.');
}
