import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schema } from '../editor/schema-help.ts';
import { request } from './http.ts';
import { isBuiltIn, type Kind } from './kinds.ts';
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

/** The schema of the spec of a kind: from its definition, or from the document of the API where a kind has none. */
export function useSpecSchema(
  kind: Kind,
  version: string,
): { readonly schema: Schema; readonly isPending: boolean } {
  const builtIn = isBuiltIn(kind);
  const definition = useQuery({ ...definitionQuery(kind), retry: false, enabled: !builtIn });
  const document = useQuery({ ...documentQuery, retry: false, enabled: builtIn });
  if (builtIn) {
    const found = document.data?.[`${kind.kind}Spec`];
    return { schema: found === undefined ? anything : withoutNull(found), isPending: document.isPending };
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
