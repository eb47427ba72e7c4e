import { useQuery } from '@tanstack/react-query';
import { failureOf, request } from '../../api/http.ts';
import type { Schemas } from '../../typed/kind.ts';

/** Records that are looked through: many are of logins and reads, which are no changes. */
const read = 100;

const words: Readonly<Record<string, string>> = {
  'resource.created': 'create',
  'resource.updated': 'update',
  'resource.deleted': 'delete',
  'resource.restored': 'restore',
};

/** A change before the page was opened. */
export interface EarlierChange {
  readonly id: string;
  readonly operation: string;
  readonly actor: string;
  readonly time: string;
  readonly identity: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
  };
}

/** The latest changes before the page was opened, newest first, from the audit records. */
export function useEarlierChanges(): {
  readonly earlier: readonly EarlierChange[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly refetch: () => unknown;
} {
  const records = useQuery({
    queryKey: ['earlier-changes'],
    queryFn: ({ signal }) =>
      request<Schemas['AuditRecordList']>(`/api/v1/audit?limit=${read}&outcome=allowed`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const earlier = (records.data?.items ?? []).flatMap(({ id, action, actor, time, resource }) => {
    const operation = words[action];
    if (operation === undefined || resource?.apiVersion === undefined) return [];
    const { apiVersion, kind, name, uid } = resource;
    return [{ id, operation, actor: actor.id, time, identity: { apiVersion, kind, name, uid } }];
  });
  return { earlier, isPending: records.isPending, error: failureOf(records), refetch: records.refetch };
}
