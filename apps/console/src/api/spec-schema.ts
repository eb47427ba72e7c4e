import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schema } from '../editor/schema-help.ts';
import { RequestError, request, requestExact } from './http.ts';
import { isBuiltIn, type Kind, type KindRegistry } from './kinds.ts';
import { type Definition, definitionQuery } from './queries.ts';

interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The schemas of the document of the API, which is the same for everybody. */
const documentQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }) =>
    (await request<OpenApiDocument>('/openapi.json', { signal })).components.schemas,
  staleTime: Number.POSITIVE_INFINITY,
});

/** A document of more kinds has megabytes: that is too much for a help. */
const mostKinds = 200;

interface KubernetesSchema extends Schema {
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly kind: string }[];
}

/** The kinds of a group and version as the Kubernetes API describes them to everybody who is logged in. */
function groupQuery(group: string, version: string) {
  return queryOptions({
    queryKey: ['kubernetes-openapi', group, version],
    queryFn: async ({ signal }) => {
      const path = `/kubernetes/openapi/v3/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`;
      const { components } = await requestExact<OpenApiDocument>(path, signal);
      return Object.values<KubernetesSchema>(components.schemas);
    },
    staleTime: 60_000,
  });
}

/**
 * The schema of the spec of a kind: from its definition, for those who may not read that from the Kubernetes API, and from the document
 * of the API where a kind has no definition. Where none answers, a schema that says nothing.
 */
export function useSpecSchema(
  kind: Kind,
  version: string,
  registry: KindRegistry,
): { readonly schema: Schema; readonly isPending: boolean } {
  const builtIn = isBuiltIn(kind);
  const definition = useQuery({ ...definitionQuery(kind), retry: false, enabled: !builtIn });
  const document = useQuery({ ...documentQuery, retry: false, enabled: builtIn });
  const isRefused = definition.error instanceof RequestError && definition.error.status === 403;
  const isSmall = registry.all.filter(({ group }) => group === kind.group).length <= mostKinds;
  const described = useQuery({
    ...groupQuery(kind.group, version),
    retry: false,
    enabled: isRefused && isSmall,
  });
  if (builtIn) {
    const found = document.data?.[`${kind.kind}Spec`];
    return { schema: found === undefined ? anything : withoutNull(found), isPending: document.isPending };
  }
  if (isRefused) {
    const found = described.data?.find((one) =>
      one['x-kubernetes-group-version-kind']?.some((named) => named.kind === kind.kind),
    );
    return { schema: found?.properties?.['spec'] ?? anything, isPending: described.isLoading };
  }
  return { schema: schemaOfVersion(definition.data ?? null, version), isPending: definition.isPending };
}

const anything: Schema = { type: 'object' };

function schemaOfVersion(definition: Definition | null, version: string): Schema {
  const found = definition?.spec.versions.find(({ name }) => name === version);
  return typeof found?.schema === 'object' && found.schema !== null ? (found.schema as Schema) : anything;
}

/** A member that may be null is one that may be absent: the help offers its other branch alone. */
export function withoutNull<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNull) as T;
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf, ...own } = value as { readonly anyOf?: readonly Schema[] };
  const branches = anyOf?.filter(({ type }) => type !== 'null');
  const [only, ...others] = branches ?? [];
  const merged =
    only !== undefined && others.length === 0
      ? { ...only, ...own }
      : { ...own, ...(branches === undefined ? {} : { anyOf: branches }) };
  return Object.fromEntries(Object.entries(merged).map(([name, member]) => [name, withoutNull(member)])) as T;
}
