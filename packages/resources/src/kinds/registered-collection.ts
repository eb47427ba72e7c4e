import { type Collection, type GroupKind, schemaRef } from '../model/definition.ts';
import { type DefinitionSpec, storedDefinitionSpec } from '../model/definition-spec.ts';
import { schemaTexts } from '../model/json-document.ts';
import { groupOf } from '../model/names.ts';
import type { Resource } from '../model/resource.ts';
import { isRootKind } from './table.ts';

/**
 * The collection that a definition registers, or null when there is no definition. `chain` holds the rows of the definition and of
 * its ancestors' definitions, leaf first.
 */
export function registeredCollection(
  chain: readonly Resource[],
  version: { readonly uid: string; readonly version: string } | null,
): Collection | null {
  const [leaf] = chain;
  if (leaf === undefined || version === null) return null;
  const specs = chain.map(storedDefinitionSpec);
  const [spec] = specs;
  if (spec === undefined) return null;
  // Raw text, because parsing `1e400` gives Infinity, which is written as null.
  const schemas = schemaTexts(leaf.spec, spec.versions.length);
  return {
    group: spec.group,
    kind: spec.kind,
    plural: spec.plural,
    definition: { ...version, terminating: leaf.deletionTimestamp !== null },
    ancestors: ancestorsOf(specs),
    versions: spec.versions.map(({ name, served, storage, selectableFields }, index) => ({
      name,
      served,
      storage,
      schema: schemaRef(schemas[index]),
      selectableFields: (selectableFields ?? []).map(({ jsonPath }) => jsonPath),
    })),
    allowedStatusControllerIds: spec.allowedStatusControllerIds,
  };
}

/** Root-most first; null when the definition of an ancestor is missing, which only a change by SQL can cause. */
function ancestorsOf(specs: readonly DefinitionSpec[]): readonly GroupKind[] | null {
  const kinds: GroupKind[] = specs.slice(1).map(({ group, kind }) => ({ group, kind }));
  const last = specs.at(-1)?.parent;
  if (last != null) {
    const parent = { group: groupOf(last.apiVersion), kind: last.kind };
    if (!isRootKind(parent)) return null;
    kinds.push(parent);
  }
  return kinds.reverse();
}
