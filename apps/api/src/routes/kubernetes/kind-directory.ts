import { Problem } from '@platform/kernel';
import { builtInKinds, findBuiltInKind, type KubernetesKind } from '@platform/kubernetes';
import {
  builtInCollections,
  type Collection,
  type DefinitionCatalog,
  type DefinitionSpec,
  groupOf,
  maxParentChain,
  platformGroup,
  type Resource,
  type ResourcePorts,
  resourceDefinitions,
  storedDefinitionSpec,
} from '@platform/resources';
import { LRUCache } from 'lru-cache';
import { ObjectSchemas } from './object-schemas.ts';

/** A kind with what its objects are checked against. */
export interface ServedKind {
  readonly kind: KubernetesKind;
  /** The schema of the stored version. */
  readonly schemas: ObjectSchemas;
}

/** A kind with the row of its definition; null for one of the platform. */
export interface DescribedKind {
  readonly kind: KubernetesKind;
  readonly definition: Resource | null;
}

/** Definitions that discovery shows, at most: twice as many as an installation is tested with. Their rows are held for the time of a request. */
const maxDefinitions = 20_000;
const pageSize = 1_000;
/** Kinds that are kept with their columns and schemas, and the characters of those schemas: their parsed forms take several times that. */
const kept = { max: maxDefinitions, maxSize: 16 * 1024 * 1024 };

/** The kinds that the Kubernetes API serves: those of the platform, and the registered ones. */
export class KindDirectory {
  readonly #reader: ResourcePorts['reader'];
  readonly #catalog: DefinitionCatalog;
  /** By the version of the definition and the name of the version. */
  readonly #kept = new LRUCache<string, ServedKind>({
    ...kept,
    sizeCalculation: ({ schemas }) => 1 + schemas.length,
  });

  constructor({ reader }: Pick<ResourcePorts, 'reader'>, catalog: DefinitionCatalog) {
    this.#reader = reader;
    this.#catalog = catalog;
  }

  /** Runs `attempt` with the kind, and runs it again when its definition turns out to have changed. Throws `unknown_collection`. */
  async resolve<T>(
    { group, version, plural }: Pick<KubernetesKind, 'group' | 'version' | 'plural'>,
    attempt: (kind: ServedKind) => Promise<T>,
  ): Promise<T> {
    const builtIn = findBuiltInKind(group, version, plural) ?? platformKind(group, version, plural);
    if (builtIn !== null) return await attempt({ kind: builtIn, schemas: ObjectSchemas.none });
    return await this.#catalog.resolve(group, plural, async ({ collection }) => {
      const served = collection?.versions.some(({ name, served }) => served && name === version) ?? false;
      if (collection === null || collection.definition === null || collection.ancestors === null || !served) {
        throw new Problem('unknown_collection', `No collection ${group}/${version}/${plural} is served.`);
      }
      return await attempt(await this.#describe(collection, version));
    });
  }

  async #describe(collection: Collection, version: string): Promise<ServedKind> {
    const { definition } = collection;
    const key = `${definition?.uid} ${definition?.version} ${version}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const { kind } = resourceDefinitions;
    const ref = { by: 'uid', uid: definition?.uid ?? '', group: platformGroup, kind } as const;
    const { resource } = await this.#reader.get(ref, null);
    const spec = resource === null ? null : storedDefinitionSpec(resource);
    const storage = collection.versions.find((one) => one.storage);
    const described = {
      kind: kindOf(spec ?? bareSpec(collection), version, collection.ancestors?.length ?? 0),
      schemas: new ObjectSchemas(storage?.schema?.schema ?? null),
    };
    this.#kept.set(key, described);
    return described;
  }

  /** Every kind at every served version. */
  async all(): Promise<readonly KubernetesKind[]> {
    return (await this.described()).map(({ kind }) => kind);
  }

  /** The same, with the definitions of those that have one. */
  async described(): Promise<readonly DescribedKind[]> {
    const rows = await this.#definitions();
    const specs = rows.map(storedDefinitionSpec);
    const byKind = new Map(specs.map((spec) => [`${spec.group}/${spec.kind}`, spec]));
    const registered = specs.flatMap((spec, row) => {
      const depth = depthOf(spec, byKind);
      if (depth === null) return [];
      return spec.versions
        .filter(({ served }) => served)
        .map(({ name }) => ({ kind: kindOf(spec, name, depth), definition: rows[row] ?? null }));
    });
    return [...platformKinds.map((kind) => ({ kind, definition: null })), ...registered];
  }

  /** The rows of all definitions. */
  async #definitions(): Promise<readonly Resource[]> {
    const collection = { group: platformGroup, kind: resourceDefinitions.kind, ancestors: [] };
    const rows: Resource[] = [];
    for (let after: string | null = null; ; after = rows.at(-1)?.name ?? null) {
      const page = await this.#reader.list(collection, { limit: pageSize, after }, null);
      if (page.outcome !== 'page') throw new Error('the collection of definitions is always there');
      rows.push(...page.items);
      if (!page.more || rows.length >= maxDefinitions) return rows;
    }
  }
}

/** Built-in kinds in the group of the platform. Those that Kubernetes has itself stand in its groups only. */
const platformKinds: readonly KubernetesKind[] = builtInCollections
  .filter(
    ({ kind, ancestors }) => ancestors?.length === 0 || !builtInKinds.some((known) => known.kind === kind),
  )
  .map((collection) => kindOf(bareSpec(collection), 'v1alpha1', collection.ancestors?.length ?? 0));

function platformKind(group: string, version: string, plural: string): KubernetesKind | null {
  return (
    platformKinds.find((one) => one.group === group && one.version === version && one.plural === plural) ??
    null
  );
}

function bareSpec({ group, kind, plural, versions }: Collection): DefinitionSpec {
  const named = versions.map(({ name, served, storage }) => ({ name, served, storage }));
  return { group, kind, plural, versions: named, allowedStatusControllerIds: [] };
}

function kindOf(spec: DefinitionSpec, version: string, depth: number): KubernetesKind {
  const {
    group,
    kind,
    plural,
    singular,
    shortNames = [],
    categories = [],
    description = '',
    versions,
  } = spec;
  const storage = versions.find((one) => one.storage)?.name ?? version;
  return {
    ...{ group, version, kind, plural, shortNames, categories, description, depth },
    singular: singular ?? kind.toLowerCase(),
    form: 'resource',
    stored: { group, version: storage, plural, kind },
    columns: versions.find(({ name }) => name === version)?.additionalPrinterColumns ?? [],
  };
}

/** The number of ancestors; null while the chain of parents is not whole, since nothing is reachable by path then. */
function depthOf(spec: DefinitionSpec, byKind: ReadonlyMap<string, DefinitionSpec>): number | null {
  let depth = 0;
  for (let parent = spec.parent; parent != null; depth += 1) {
    const group = groupOf(parent.apiVersion);
    if (group === platformGroup) return depth + 1;
    const found = byKind.get(`${group}/${parent.kind}`);
    if (found === undefined || depth > maxParentChain) return null;
    parent = found.parent;
  }
  return depth;
}
