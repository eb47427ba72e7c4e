import { Problem } from '@platform/kernel';
import { findBuiltInKind, type KubernetesKind } from '@platform/kubernetes';
import {
  type Collection,
  type DefinitionCatalog,
  platformGroup,
  type ResourcePorts,
  resourceDefinitions,
  storedDefinitionSpec,
} from '@platform/resources';
import { LRUCache } from 'lru-cache';
import { bareSpec, kindOf, platformKind } from './kinds-of-definitions.ts';
import { KnownKinds } from './known-kinds.ts';
import { ObjectSchemas } from './object-schemas.ts';

/** A kind with what its objects are checked against. */
export interface ServedKind {
  readonly kind: KubernetesKind;
  /** The schema of the stored version. */
  readonly schemas: ObjectSchemas;
  /** That of the version which the request names: its fields are those that clients of the version know. */
  readonly namedSchemas: ObjectSchemas;
}

/** Kinds that are kept with their columns and schemas, and the characters of those schemas: their parsed forms take several times that. */
const kept = { max: 20_000, maxSize: 16 * 1024 * 1024 };

/** The kinds that the Kubernetes API serves: those of the platform, and the registered ones. */
export class KindDirectory {
  readonly #reader: ResourcePorts['reader'];
  readonly #catalog: DefinitionCatalog;
  /** By the version of the definition and the name of the version. */
  readonly #kept = new LRUCache<string, ServedKind>({
    ...kept,
    sizeCalculation: ({ schemas, namedSchemas }) => 1 + schemas.length + namedSchemas.length,
  });

  /** All of them. */
  readonly known: KnownKinds;

  constructor({ reader }: Pick<ResourcePorts, 'reader'>, catalog: DefinitionCatalog) {
    this.#reader = reader;
    this.#catalog = catalog;
    this.known = new KnownKinds(reader, () => catalog.version());
  }

  /** Runs `attempt` with the kind, and runs it again when its definition turns out to have changed. Throws `unknown_collection`. */
  async resolve<T>(
    { group, version, plural }: Pick<KubernetesKind, 'group' | 'version' | 'plural'>,
    attempt: (kind: ServedKind) => Promise<T>,
  ): Promise<T> {
    const builtIn = findBuiltInKind(group, version, plural) ?? platformKind(group, version, plural);
    const { none } = ObjectSchemas;
    if (builtIn !== null) return await attempt({ kind: builtIn, schemas: none, namedSchemas: none });
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
    const schemasOf = (one = collection.versions.find(({ storage }) => storage)) =>
      new ObjectSchemas(one?.schema?.schema ?? null);
    const named = collection.versions.find(({ name }) => name === version);
    const schemas = schemasOf();
    const described = {
      kind: kindOf(spec ?? bareSpec(collection), version, collection.ancestors?.length ?? 0),
      schemas,
      namedSchemas: named?.storage === true ? schemas : schemasOf(named),
    };
    this.#kept.set(key, described);
    return described;
  }
}
