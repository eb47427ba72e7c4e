import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { write } from '../../api/change.ts';
import { RequestError, request } from '../../api/http.ts';
import { ancestorsInScope, type Kind, type KindRegistry, preferredVersion } from '../../api/kinds.ts';
import { useCaller, useKinds } from '../../api/queries.ts';
import { collectionPath, type Resource } from '../../api/resource.ts';
import { kindLink } from '../../app/links.ts';
import { useScope } from '../../app/scope.ts';
import { Card } from '../../ui/card.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';

/** A count needs a list, so it stops here: the table has the exact number. */
const most = 500;
/** Kinds that are counted at once. */
const mostKinds = 30;
/** Checks of one request. */
const mostChecks = 100;

/** How many resources of each kind the caller sees. */
export function KindCounts() {
  const kinds = useKinds();
  const scope = useScope();
  return (
    <Card title="Resources" flush actions={<Link to="/kinds">All kinds</Link>}>
      {kinds.error !== null ? (
        isForbidden(kinds.error) ? (
          <p className="state muted">You may not see resources yet.</p>
        ) : (
          <Failure error={kinds.error} what="list kinds" retry={() => void kinds.refetch()} />
        )
      ) : kinds.data === undefined ? (
        <Loading />
      ) : (
        <ListedCounts registry={kinds.data} scope={scope} />
      )}
    </Card>
  );
}

/** The counts of the kinds that the caller may list: others would say of each that it is not for them. */
function ListedCounts({
  registry,
  scope,
}: {
  readonly registry: KindRegistry;
  readonly scope: readonly string[];
}) {
  const { data: caller } = useCaller();
  const paths = registry.all.map((kind) => placeOf(registry, kind, scope));
  const listed = useQuery({
    queryKey: ['listed', paths],
    queryFn: async ({ signal }) => {
      const listed: boolean[] = [];
      // One request after the other, and none for kinds that have no room any more.
      while (listed.length < paths.length && listed.filter(Boolean).length <= mostKinds) {
        const part = paths.slice(listed.length, listed.length + mostChecks);
        const { results } = await write<{ results: readonly { readonly allowed: boolean }[] }>(
          '/api/v1/access/check',
          { method: 'POST', body: { checks: part.map((path) => ({ verb: 'list', path })) }, signal },
        );
        listed.push(...results.map(({ allowed }) => allowed));
      }
      return listed;
    },
    enabled: caller?.operator === false,
    retry: false,
    staleTime: 30_000,
  });
  if (caller?.operator !== true && listed.isPending) return <Loading />;
  const kinds = registry.all.filter((_, at) => listed.data?.[at] !== false);
  const none = registry.all.length === 0 ? 'No kinds yet.' : 'You may not list resources yet.';
  return <Counts registry={registry} kinds={kinds} scope={scope} none={none} />;
}

interface Count {
  readonly total: number;
  readonly more: boolean;
  readonly deleting: number;
}

/** Kinds with how many resources of each there are in a scope. */
export function Counts({
  registry,
  kinds,
  scope,
  none,
}: {
  readonly registry: KindRegistry;
  readonly kinds: readonly Kind[];
  readonly scope: readonly string[];
  readonly none: string;
}) {
  const shown = kinds.slice(0, mostKinds);
  const counts = useQueries({
    queries: shown.map((kind) => {
      const path = `${placeOf(registry, kind, scope)}?view=metadata&limit=${most}`;
      return {
        queryKey: ['count', path],
        queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Count> => {
          const page = await request<{ items: Resource[]; metadata: { continue?: string } }>(path, {
            signal,
          });
          const deleting = page.items.filter(
            ({ metadata }) => metadata.deletionTimestamp !== undefined,
          ).length;
          return { total: page.items.length, more: page.metadata.continue !== undefined, deleting };
        },
        staleTime: 10_000,
      };
    }),
  });
  if (shown.length === 0) return <p className="state muted">{none}</p>;
  return (
    <ul className="rows">
      {shown.map((kind, index) => (
        <li key={`${kind.group}/${kind.plural}`}>
          <span className="grow">
            <Link {...kindLink(registry, kind, scope)}>{kind.plural}</Link>{' '}
            <span className="muted">{kind.group}</span>
          </span>
          <CountText count={counts[index]?.data} error={counts[index]?.error ?? null} />
        </li>
      ))}
      {shown.length === kinds.length ? null : (
        <li className="muted">
          These are {shown.length} of {kinds.length} kinds.
        </li>
      )}
    </ul>
  );
}

function CountText({ count, error }: { readonly count: Count | undefined; readonly error: Error | null }) {
  if (error !== null) {
    return <span className="muted">{whyUncounted(error)}</span>;
  }
  if (count === undefined) return <span className="muted">…</span>;
  return (
    <>
      {count.deleting === 0 ? null : <StateBadge state="deleting">{`${count.deleting} deleting`}</StateBadge>}
      <strong>{count.more ? `${most}+` : count.total}</strong>
    </>
  );
}

function placeOf(registry: KindRegistry, kind: Kind, scope: readonly string[]): string {
  const ancestors = ancestorsInScope(registry.ancestorsOf(kind)?.length ?? 0, scope);
  const { group, plural } = kind;
  return collectionPath({ group, version: preferredVersion(kind), plural, ancestors });
}

/** A kind below a parent that the scope does not name cannot be listed there; anything else is a failure. */
function whyUncounted(error: Error): string {
  if (isForbidden(error)) return 'not for you';
  return error instanceof RequestError && error.status >= 400 && error.status < 500
    ? 'not here'
    : 'not counted';
}

function isForbidden(error: Error): boolean {
  return error instanceof RequestError && error.status === 403;
}
