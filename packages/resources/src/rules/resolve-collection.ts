import { createHash } from 'node:crypto';
import {
  builtInCollections,
  type Collection,
  type GroupKind,
  platformGroup,
  type SchemaRef,
} from '../model/definition.ts';
import { schemaTexts } from '../model/json-document.ts';
import { groupOf } from '../model/names.ts';
import type { JsonText, Resource } from '../model/resource.ts';
import type { DefinitionSpec } from '../model/schemas.ts';

/** The spec of a stored definition; it was validated when it was written. */
export function storedDefinitionSpec(row: Resource): DefinitionSpec {
  const spec = JSON.parse(row.spec) as DefinitionSpec;
  return { ...spec, allowedStatusControllerIds: spec.allowedStatusControllerIds ?? [] };
}

/** The built-in collection of that group and plural, or null. */
export function builtInCollection(group: string, plural: string): Collection | null {
  if (group !== platformGroup) return null;
  return plural === 'organizations' || plural === 'resourcedefinitions' ? builtInCollections[plural] : null;
}

/** Whether the kind is built in. */
export function isBuiltInKind({ group, kind }: GroupKind): boolean {
  return (
    group === platformGroup &&
    Object.values(builtInCollections).some((collection) => collection.kind === kind)
  );
}

/** The collection that a definition declares; `chain` is its row and those of its ancestors, leaf first, `version` its version. */
export function resolveCollection(
  chain: readonly Resource[],
  version: { readonly uid: string; readonly version: string } | null,
): Collection | null {
  const [leaf] = chain;
  if (leaf === undefined || version === null) return null;
  const specs = chain.map(storedDefinitionSpec);
  const [spec] = specs;
  if (spec === undefined) return null;
  // As raw text: a parse would make `1e400` infinite, and that null when it is written again.
  const schemas = schemaTexts(leaf.spec, spec.versions.length);
  return {
    group: spec.group,
    kind: spec.kind,
    plural: spec.plural,
    definition: { ...version, terminating: leaf.deletionTimestamp !== null },
    ancestors: ancestorsOf(specs),
    versions: spec.versions.map(({ name, served, storage }, index) => ({
      name,
      served,
      storage,
      schema: schemaRef(schemas[index]),
    })),
    allowedStatusControllerIds: spec.allowedStatusControllerIds,
  };
}

/** The key comes from the text alone: a revision can be lost in a failover and given again to another schema. */
function schemaRef(schema: JsonText | null | undefined): SchemaRef | null {
  if (schema == null) return null;
  return { key: createHash('sha256').update(schema, 'utf8').digest('base64url'), schema };
}

/** Root-most first; null when the chain ends at a kind whose own parent has no definition (it was removed in the database). */
function ancestorsOf(specs: readonly DefinitionSpec[]): readonly GroupKind[] | null {
  const kinds: GroupKind[] = specs.slice(1).map(({ group, kind }) => ({ group, kind }));
  const last = specs.at(-1)?.parent;
  if (last != null) {
    const parent = { group: groupOf(last.apiVersion), kind: last.kind };
    if (!isBuiltInKind(parent)) return null;
    kinds.push(parent);
  }
  return kinds.reverse();
}
