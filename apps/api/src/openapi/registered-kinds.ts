import {
  type DefinitionSpec,
  groupOf,
  maxParentChain,
  platformGroup,
  type Resource,
  type ResourcePorts,
  resourceDefinitions,
  storedDefinitionSpec,
} from '@platform/resources';
import type { RegisteredKinds } from './document.ts';
import { embeddedSchema } from './embedded-schema.ts';
import { type DocumentedKind, registeredTag, specComponent } from './kinds.ts';

/** Definitions that one document shows, at most. */
const maxDefinitions = 500;
/** Kinds that it shows, at most: each served version is one, whose operations take tens of kilobytes. */
const maxKinds = 1_000;
/** Characters of definitions that one document shows, at most. */
const maxCharacters = 4 * 1024 * 1024;

/** Reads the registered kinds for the document: the first by name, as many as the limits allow. */
export async function registeredKinds({ reader }: Pick<ResourcePorts, 'reader'>): Promise<RegisteredKinds> {
  const { kind } = resourceDefinitions;
  const collection = { group: platformGroup, kind, ancestors: [] };
  const page = await reader.list(collection, { limit: maxDefinitions, after: null }, null);
  if (page.outcome !== 'page') throw new Error('the collection of definitions is always there');
  const rows = withinBounds(page.items);
  const specs = withinKinds(rows.map(storedDefinitionSpec));
  const kinds = specs.flatMap((spec) => documentedVersions(spec, specs));
  return { kinds, truncated: page.more || specs.length < page.items.length };
}

function withinBounds(rows: readonly Resource[]): readonly Resource[] {
  let characters = 0;
  const end = rows.findIndex((row) => {
    characters += row.spec.length;
    return characters > maxCharacters;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** Attack: hundreds of definitions with a hundred versions each. */
function withinKinds(specs: readonly DefinitionSpec[]): readonly DefinitionSpec[] {
  let kinds = 0;
  const end = specs.findIndex(({ versions }) => {
    kinds += versions.filter(({ served }) => served).length;
    return kinds > maxKinds;
  });
  return end === -1 ? specs : specs.slice(0, end);
}

/** Every served version of a definition; none while its chain of parents is not whole, since nothing is reachable by path then. */
function documentedVersions(spec: DefinitionSpec, all: readonly DefinitionSpec[]): readonly DocumentedKind[] {
  const chain = chainOf(spec, all);
  if (chain === null) return [];
  const names = parameterNames([...chain, spec.kind]);
  const parameter = names.at(-1) ?? 'name';
  return spec.versions
    .filter(({ served }) => served)
    .map(({ name, storage, schema }) => ({
      group: spec.group,
      kind: spec.kind,
      plural: spec.plural,
      version: name,
      storage,
      ancestors: names.slice(0, -1),
      parameter,
      spec: embeddedSchema(schema ?? { type: 'object' }, specComponent({ ...spec, version: name })),
      tag: registeredTag,
      statusIds: spec.allowedStatusControllerIds,
    }));
}

/** The kinds of the ancestors, root-most first; null when one of them is not among the definitions. */
function chainOf(spec: DefinitionSpec, all: readonly DefinitionSpec[]): readonly string[] | null {
  const kinds: string[] = [];
  let parent = spec.parent;
  while (parent != null) {
    const { kind } = parent;
    const group = groupOf(parent.apiVersion);
    kinds.unshift(kind);
    if (kinds.length > maxParentChain) return null;
    if (group === platformGroup) return kinds;
    const found = all.find((candidate) => candidate.group === group && candidate.kind === kind);
    if (found === undefined) return null;
    parent = found.parent;
  }
  return kinds;
}

/** Names of path parameters: a path must not have one twice, though kinds of two groups may be called the same. */
function parameterNames(kinds: readonly string[]): readonly string[] {
  const lower = kinds.map((kind) => kind.toLowerCase());
  return lower.map((name, index) =>
    lower.indexOf(name) === index
      ? name
      : `${name}${lower.slice(0, index + 1).filter((other) => other === name).length}`,
  );
}
