import type { DefinitionSpec } from '@platform/resources';
import { versionKeyword } from './object-schema.ts';

type Members = Readonly<Record<string, unknown>>;

/** The warning for clients of a version that its definition calls deprecated; null for other versions. */
export function deprecationOf(
  { group, kind, versions }: Pick<DefinitionSpec, 'group' | 'kind' | 'versions'>,
  version: string,
): string | null {
  const schema = versions.find(({ name }) => name === version)?.schema;
  if (typeof schema !== 'object' || schema === null) return null;
  const { deprecated, deprecationWarning } = ((schema as Members)[versionKeyword] ?? {}) as Members;
  if (deprecated !== true) return null;
  return typeof deprecationWarning === 'string'
    ? deprecationWarning
    : `${group}/${version} ${kind} is deprecated`;
}
