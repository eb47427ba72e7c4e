/**
 * `metadata.resourceVersion`. That of an object names its state, so equal states have equal versions; that of a list names the point of
 * the change log at which it was read. Both are digits only, because clients of Kubernetes 1.35 expect that (KEP-5504). Those of one
 * object are ordered as numbers; others are not: a write is answered before the change log has its place.
 */
export type ResourceVersion =
  | {
      readonly of: 'object';
      readonly uid: string;
      readonly revision: number;
      /** Whether it is the version in the event that says that the object is gone. */
      readonly removed: boolean;
    }
  | { readonly of: 'list'; readonly cursor: string }
  /** A number of another service, or of a cluster that the object was copied from. Kubernetes takes it for an old state. */
  | { readonly of: 'foreign' };

const objectMark = '1';
const listMark = '2';

/** Digits of `01<uid><revision and removed>` in hexadecimal, at most: 16 + 128 + 64 bits. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The version of an object in a state. */
export function objectVersion(
  { uid, revision }: { readonly uid: string; readonly revision: number },
  removed = false,
): string {
  const state = (BigInt(revision) * 2n + (removed ? 1n : 0n)).toString(16).padStart(16, '0');
  return objectMark + BigInt(`0x1${uid.replaceAll('-', '')}${state}`).toString();
}

/** The version of a list that was read at a point of the change log. */
export function listVersion(cursor: string): string {
  let value = 1n;
  for (const character of cursor) value = value * 64n + BigInt(alphabet.indexOf(character));
  return listMark + value.toString();
}

const longest = 4_096;

/** Reads a version; null for any other text; in Kubernetes, versions are numbers of 64 bits. */
export function parseResourceVersion(text: string): ResourceVersion | null {
  if (!/^\d+$/.test(text)) return null;
  if (text.length > longest) return null;
  return ownVersion(text) ?? (BigInt(text) < 2n ** 64n ? { of: 'foreign' } : null);
}

function ownVersion(text: string): ResourceVersion | null {
  if (!/^[12][1-9]/.test(text)) return null;
  const value = BigInt(text.slice(1));
  return text.startsWith(objectMark) ? objectVersionOf(value.toString(16)) : listOf(value);
}

function objectVersionOf(hex: string): ResourceVersion | null {
  const match = /^1([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})([0-9a-f]{16})$/.exec(
    hex,
  );
  if (match === null) return null;
  const state = BigInt(`0x${match[6]}`);
  const revision = Number(state / 2n);
  if (!Number.isSafeInteger(revision)) return null;
  return { of: 'object', uid: match.slice(1, 6).join('-'), revision, removed: state % 2n === 1n };
}

function listOf(value: bigint): ResourceVersion {
  let cursor = '';
  for (let left = value; left > 1n; left /= 64n) cursor = alphabet.charAt(Number(left % 64n)) + cursor;
  return { of: 'list', cursor };
}
