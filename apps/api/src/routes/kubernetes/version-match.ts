import { invalid, Problem } from '@platform/kernel';
import { parseResourceVersion } from '@platform/kubernetes';
import { groupOf } from '@platform/resources';
import { cursorOf, expiredWhenForeign } from './cursor-of-object.ts';
import type { KubernetesDeps, ObjectRequest } from './object-request.ts';

/** The version that a list is asked for. */
export interface VersionMatch {
  readonly text: string;
  /** Whether the list must be of that version, and not of a newer one. */
  readonly isExact: boolean;
}

const forbidden = (path: string, message: string) =>
  invalid([{ path, message, reason: 'FieldValueForbidden' }]);

/**
 * Reads `resourceVersion` and `resourceVersionMatch` of a list; null for any version. Throws `validation_failed` and `invalid_query` for the
 * combinations that Kubernetes refuses.
 */
export function readVersionMatch(query: URLSearchParams): VersionMatch | null {
  const text = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  const goesOn = (query.get('continue') ?? '') !== '';
  if (query.has('sendInitialEvents'))
    throw forbidden('/sendInitialEvents', 'sendInitialEvents is forbidden for list');
  if (match !== '') {
    const at = '/resourceVersionMatch';
    if (text === '')
      throw forbidden(at, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
    if (goesOn) throw forbidden(at, 'resourceVersionMatch is forbidden when continue is provided');
    if (match !== 'Exact' && match !== 'NotOlderThan')
      throw invalid([{ path: at, message: 'must be one of Exact and NotOlderThan' }]);
    if (match === 'Exact' && text === '0')
      throw forbidden(at, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  if (text === '' || text === '0') return null;
  if (goesOn)
    throw new Problem('invalid_query', 'specifying resource version is not allowed when using continue');
  return { text, isExact: match === 'Exact' };
}

/** Throws `validation_failed` for what Kubernetes refuses in a watch. */
export function requireWatchOptions(query: URLSearchParams): void {
  const match = query.get('resourceVersionMatch') ?? '';
  const at = '/resourceVersionMatch';
  if (!query.has('sendInitialEvents')) {
    if (match === '') return;
    throw forbidden(at, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  }
  if (match !== 'NotOlderThan')
    throw forbidden(at, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
}

/** Entries of the log that are compared with an exact version, at most. */
const compared = { pages: 4, pageSize: 250 };

/**
 * Lists show the present state, so they are never older than a version that was read, and of an exact one while nothing in them has
 * changed since. Throws `cursor_expired` when something has, or so much has happened since that it is not known.
 */
export async function requireVersion(
  deps: KubernetesDeps,
  { kind, path }: ObjectRequest,
  { text, isExact }: VersionMatch,
): Promise<void> {
  const version = parseResourceVersion(text);
  if (version === null)
    throw invalid([{ path: '/resourceVersion', message: 'must be a number that was read' }]);
  if (!isExact) return;
  const { feed } = deps.watch;
  // This read lets the log order what was written last, so that the list shows nothing that the log does not have.
  await deps.ports.history.recent({ ancestors: null, without: '' }, { limit: 100, among: 100 });
  let cursor = await feed.parse(await cursorOf(deps, version)).catch((error: unknown) => {
    throw expiredWhenForeign(error);
  });
  for (let page = 0; page < compared.pages; page += 1) {
    const { changes, end, more } = await feed.read(cursor, compared.pageSize);
    const isSame = changes.every(
      ({ resource }) =>
        resource.kind !== kind.stored.kind ||
        groupOf(resource.apiVersion) !== kind.stored.group ||
        (path.namespace !== null && resource.ancestors.join(':') !== path.namespace),
    );
    if (!isSame) break;
    if (!more) return;
    cursor = end;
  }
  throw new Problem(
    'cursor_expired',
    'The provided resource version is no longer the present one; list again.',
  );
}
