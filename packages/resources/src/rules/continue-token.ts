import { createHash } from 'node:crypto';
import { Problem, type SealContext, type Sealer } from '@platform/kernel';
import { isResourceName, parseUid } from '../model/names.ts';
import type { DeletionPosition, PagePosition } from '../model/selection.ts';

// A continue token is the position after which the next page begins: a form and a text, in base64url, so that a URL can hold it unchanged.
// The parsers take what a client sent: no token for the first page, or one. They refuse other encodings of the same position, so that
// clients cannot rely on what is in a token.
const nameForm = 'after:';
const positionForm = 'page:';
const deletionForm = 'deleted:';
const keyForm = 'entry:';

/** The token of the page after the one that ends with `name`, as the release 0.24 made it. */
function unboundToken(name: string): string {
  return tokenOf(nameForm, name);
}

/** The name in a token of the previous release, which a list may begin with during an upgrade; null when it has another form. */
function unboundName(tokens: readonly string[]): string | null {
  const name = textIn(tokens, nameForm);
  return name !== null && isResourceName(name) && unboundToken(name) === tokens[0] ? name : null;
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
  const position = positionIn(textIn(tokens, positionForm) ?? '', binding);
  if (pageToken(binding, position) !== tokens[0]) throw invalidToken();
  return position;
}

/** Parses the token of a list of one parent without selectors, which the previous release had too. Throws `invalid_query`. */
export function parsePlainPageToken(tokens: readonly string[], binding: string): string | null {
  return unboundName(tokens) ?? parsePageToken(tokens, binding)?.name ?? null;
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

/** The token of the page after the item with this key. It is bound to its list: in another one it has no meaning. */
export function keyToken(list: string, key: string): string {
  const binding = createHash('sha256').update(list).digest('base64url').slice(0, 16);
  return tokenOf(keyForm, `${binding}:${key}`);
}

/** Parses a token of {@link keyToken} whose key a list may have. Throws `invalid_query`. */
export function parseKey(
  tokens: readonly string[],
  list: string,
  isKey: (key: string) => boolean,
): string | null {
  if (tokens.length === 0) return null;
  const text = textIn(tokens, keyForm) ?? '';
  const key = text.slice(text.indexOf(':') + 1);
  if (isKey(key) && keyToken(list, key) === tokens[0]) return key;
  throw new Problem(
    'invalid_query',
    'continue must be the token of the page before, unchanged and with the same path and parameters.',
  );
}

/** Parses a token of {@link keyToken} for a list by name, which the previous release had too. Throws `invalid_query`. */
export function parseName(tokens: readonly string[], list: string): string | null {
  return unboundName(tokens) ?? parseKey(tokens, list, isResourceName);
}

/** The token of the page after the entry at these numbers. */
export function numbersToken(path: string, ...numbers: readonly number[]): string {
  return keyToken(path, numbers.join('.'));
}

/** Parses a token of {@link numbersToken} with that many numbers. Throws `invalid_query`. */
export function parseNumbers(
  tokens: readonly string[],
  path: string,
  count: number,
): readonly number[] | null {
  const numbersIn = (key: string) => key.split('.').map(Number);
  const isKey = (key: string) =>
    numbersIn(key).length === count &&
    numbersIn(key).join('.') === key &&
    numbersIn(key).every(Number.isSafeInteger);
  const key = parseKey(tokens, path, isKey);
  return key === null ? null : numbersIn(key);
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
