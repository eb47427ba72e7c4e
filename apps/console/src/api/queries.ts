import { queryOptions, useQuery } from '@tanstack/react-query';
import { failureOf, RequestError, request, requestExact } from './http.ts';
import { definitionName, isBuiltIn, type Kind, KindRegistry, kindOf } from './kinds.ts';
import { type DefinitionSpec, type Resource, resourcesPath } from './resource.ts';

/** The state of a query as a page shows it: `error` takes the place of `data`. */
export interface Shown<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** Who is logged in. */
export interface Caller {
  readonly type: string;
  readonly uid: string;
  readonly email: string;
  readonly operator: boolean;
  readonly admin: boolean;
  /** Groups that bindings may name; absent where there are none. */
  readonly groups?: readonly string[];
  /** The bindings that name the caller; operators need none. */
  readonly bindings?: readonly {
    readonly name: string;
    readonly role: string;
    /** The uid of the resource that it covers; null for everything. */
    readonly scope: string | null;
  }[];
}

const callerQuery = queryOptions({
  queryKey: ['caller'],
  queryFn: ({ signal }) => request<Caller>('/api/v1/auth/me', { signal }),
  staleTime: 60_000,
});

/** The most that the API answers at once: each page more is one more wait. */
const mostOfPage = 1_000;

/** All pages of a list. */
async function readAll<T>(path: string, signal: AbortSignal): Promise<readonly T[]> {
  const items: T[] = [];
  for (let next = ''; ; ) {
    const page = await request<{ items: T[]; metadata: { continue?: string } }>(
      `${path}?limit=${mostOfPage}${next}`,
      {
        signal,
      },
    );
    items.push(...page.items);
    if (page.metadata.continue === undefined) return items;
    next = `&continue=${encodeURIComponent(page.metadata.continue)}`;
  }
}

/** The kinds that the caller may know, from discovery. */
const kindsQuery = queryOptions({
  queryKey: ['kinds'],
  queryFn: async ({ signal }) => {
    try {
      return new KindRegistry(await readAll<Kind>(resourcesPath, signal));
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 403) throw error;
      // A caller who may not ask for all kinds may still be allowed to list definitions.
      const definitions = await readAll<Definition>(definitionsPath, signal);
      return new KindRegistry(definitions.map(({ spec }) => kindOf(spec)));
    }
  },
  staleTime: 30_000,
});

/** A definition as a resource. */
export interface Definition extends Resource {
  readonly spec: DefinitionSpec & Record<string, unknown>;
}

export const definitionsPath = `${resourcesPath}/platform.dev/v1alpha1/resourcedefinitions`;

/** The definition of a kind; null for a kind of the platform, which has none. */
export function definitionQuery(kind: Pick<Kind, 'group' | 'plural'>) {
  return queryOptions({
    queryKey: ['definition', kind.group, kind.plural],
    queryFn: async ({ signal }) =>
      isBuiltIn(kind) ? null : requestExact<Definition>(`${definitionsPath}/${definitionName(kind)}`, signal),
    staleTime: 30_000,
  });
}

export function useCaller() {
  return useQuery(callerQuery);
}

export function useKinds(): Shown<KindRegistry> {
  const kinds = useQuery(kindsQuery);
  return { data: kinds.data, error: failureOf(kinds), refetch: kinds.refetch };
}
