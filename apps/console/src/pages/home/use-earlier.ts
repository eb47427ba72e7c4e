import { useQuery } from '@tanstack/react-query';
import { failureOf, request } from '../../api/http.ts';
import type { Schemas } from '../../typed/kind.ts';

/** Records of a page, and pages that are looked through: many records are of logins and reads, which are no changes. */
const pageOf = 200;
const mostPages = 5;

const words: Readonly<Record<string, string>> = {
  'resource.created': 'create',
  'resource.updated': 'update',
  'resource.deleted': 'delete',
  'resource.deletion_cascaded': 'delete',
  'resource.collected': 'delete',
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
export function useEarlierChanges(most: number): {
  readonly earlier: readonly EarlierChange[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly refetch: () => unknown;
} {
  const records = useQuery({
    queryKey: ['earlier-changes'],
    queryFn: ({ signal }) => readChanges(most, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return {
    earlier: records.data ?? [],
    isPending: records.isPending,
    error: failureOf(records),
    refetch: records.refetch,
  };
}

async function readChanges(most: number, signal: AbortSignal): Promise<readonly EarlierChange[]> {
  const changes: EarlierChange[] = [];
  let next: string | undefined = '';
  for (let page = 0; page < mostPages && changes.length < most && next !== undefined; page += 1) {
    const more: string = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
    const path = `/api/v1/audit?limit=${pageOf}&outcome=allowed${more}`;
    const list: Schemas['AuditRecordList'] = await request(path, { signal });
    changes.push(...list.items.flatMap((record) => changeOf(record) ?? []));
    next = list.continue ?? undefined;
  }
  return changes.slice(0, most);
}

function changeOf({
  id,
  action,
  actor,
  time,
  resource,
}: Schemas['AuditRecordList']['items'][number]): EarlierChange | null {
  const operation = words[action];
  if (operation === undefined || resource?.apiVersion === undefined) return null;
  const { apiVersion, kind, name, uid } = resource;
  return { id, operation, actor: actor.id, time, identity: { apiVersion, kind, name, uid } };
}
