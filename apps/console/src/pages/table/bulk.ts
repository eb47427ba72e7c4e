import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/change.ts';
import type { Kind, KindRegistry } from '../../api/kinds.ts';
import { type CollectionPlace, collectionPath } from '../../api/resource.ts';
import type { Row } from '../../live/row.ts';

/** The resources and dependencies of a change of several resources. */
export interface BulkProps {
  readonly kind: Kind;
  readonly registry: KindRegistry;
  readonly place: CollectionPlace;
  readonly rows: readonly Row[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The path of one of the selected resources, whatever it is called by now. */
export function pathOfRow({ group, version, plural }: CollectionPlace, { uid }: Pick<Row, 'uid'>): string {
  return `${collectionPath({ group, version, plural, ancestors: [] })}/uid:${uid}`;
}

/** True, or for how many rows it is refused; undefined while it is asked. */
type Allowed = true | { readonly refused: number } | undefined;

const verbs = ['patch', 'delete'] as const;

/** Asks for every selected row, one request a verb. When the question fails, the server decides about the change itself. */
export function useBulkAccess(
  place: CollectionPlace,
  rows: readonly Row[],
  enabled: boolean,
): Readonly<Record<(typeof verbs)[number], Allowed>> {
  const paths = rows.map((row) => pathOfRow(place, row));
  const check = useQuery({
    queryKey: ['may-bulk', paths],
    queryFn: ({ signal }) =>
      Promise.all(
        verbs.map(async (verb) => {
          const { results } = await write<{ results: readonly { readonly allowed: boolean }[] }>(
            '/api/v1/access/check',
            { method: 'POST', body: { checks: paths.map((path) => ({ verb, path })) }, signal },
          );
          return results.filter(({ allowed }) => !allowed).length;
        }),
      ),
    enabled: enabled && paths.length > 0,
    retry: false,
    staleTime: 30_000,
  });
  const allowed = (at: number): Allowed => {
    if (check.isError) return true;
    const refused = check.data?.[at];
    return refused === undefined ? undefined : refused === 0 ? true : { refused };
  };
  return { patch: allowed(0), delete: allowed(1) };
}
