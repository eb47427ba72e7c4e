import type { DefinitionSpec } from '@platform/resources';
import { versionKeyword } from './object-schema.ts';
import { readStatusFields } from './status-fields.ts';

type Members = Readonly<Record<string, unknown>>;

/** The warning for clients of a version that its definition calls deprecated; null for other versions. */
export function deprecationOf(
  { group, kind, versions }: Pick<DefinitionSpec, 'group' | 'kind' | 'versions'>,
  version: string,
): string | null {
  const { deprecated, deprecationWarning } = keptMembers(versions.find(({ name }) => name === version));
  if (deprecated !== true) return null;
  return typeof deprecationWarning === 'string'
    ? deprecationWarning
    : `${group}/${version} ${kind} is deprecated`;
}

/** Whether a version comes from a CustomResourceDefinition that declares no subresource `status`. */
export function hasPlainStatus({ versions }: Pick<DefinitionSpec, 'versions'>, version: string): boolean {
  const { schema, subresources } = keptMembers(versions.find(({ name }) => name === version));
  return schema !== undefined && (subresources as Members | undefined)?.['status'] === undefined;
}

/** The fields of the status that objects of a version are selected by, such as `status.phase`. */
export function statusFieldsOf(
  { versions }: Pick<DefinitionSpec, 'versions'>,
  version: string,
): readonly string[] {
  return readStatusFields(keptMembers(versions.find(({ name }) => name === version))['selectableFields']);
}

/** The kind of the lists that a CustomResourceDefinition names; undefined where it names none. */
export function listKindOf({ versions }: Pick<DefinitionSpec, 'versions'>): string | undefined {
  return versions.map((version) => keptMembers(version)['listKind']).find((name) => typeof name === 'string');
}

/** The members of a version that have no place in a resource definition of the platform. */
function keptMembers(version: DefinitionSpec['versions'][number] | undefined): Members {
  const schema = version?.schema;
  if (typeof schema !== 'object' || schema === null) return {};
  return ((schema as Members)[versionKeyword] ?? {}) as Members;
}
