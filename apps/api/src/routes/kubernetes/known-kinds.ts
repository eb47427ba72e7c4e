import { type KubernetesKind, scaleOutline } from '@platform/kubernetes';
import {
  type DefinitionSpec,
  platformGroup,
  type Resource,
  type ResourcePorts,
  resourceDefinitions,
  storedDefinitionSpec,
} from '@platform/resources';
import { depthOf, kindOf, platformKinds } from './kinds-of-definitions.ts';

/** A kind at one version, with the definition that made it; null for one of the platform. */
export interface KnownKind {
  readonly kind: KubernetesKind;
  readonly definition: { readonly uid: string; readonly generation: number } | null;
}

/** Definitions that are shown, at most: twice as many as an installation is tested with. */
const maxDefinitions = 20_000;
/** Kinds that are kept: each version is one, and takes about half a kilobyte. */
const maxKept = 100_000;
const pageSize = 1_000;
/** Definitions that are read one by one; for more it is faster to go through all. */
const fewDefinitions = 64;
/** Definitions that change all the time are shown as of one of these reads. */
const attempts = 3;

type Reader = ResourcePorts['reader'];

/** A definition without its schemas, which may be large: of those, discovery only needs to know whether the kind has a scale. */
type Outline = KnownKind['definition'] & { readonly spec: DefinitionSpec };

/**
 * Every kind at every served version. They are read when a definition has changed since, on whatever replica: each call compares the
 * version of all definitions, which is one row.
 */
export class KnownKinds {
  readonly #reader: Reader;
  readonly #version: () => Promise<string>;
  #kept: { readonly version: string; readonly kinds: readonly KnownKind[] } | null = null;
  readonly #reading = new Map<string, Promise<readonly KnownKind[]>>();

  constructor(reader: Reader, version: () => Promise<string>) {
    this.#reader = reader;
    this.#version = version;
  }

  /** The kinds, as of a moment after the call began. The same list as before, while nothing has changed. */
  async all(): Promise<readonly KnownKind[]> {
    const version = await this.#version();
    if (this.#kept?.version === version) return this.#kept.kinds;
    // The version was current after this call began, so a read that began at that version is recent enough.
    const reading =
      this.#reading.get(version) ?? this.#read(version).finally(() => this.#reading.delete(version));
    this.#reading.set(version, reading);
    return await reading;
  }

  async #read(begun: string): Promise<readonly KnownKind[]> {
    let version = begun;
    for (let attempt = 1; ; attempt += 1) {
      const kinds = kindsOf(await this.#outlines());
      const ended = await this.#version();
      if (ended === version && kinds.length <= maxKept) this.#kept = { version, kinds };
      if (ended === version || attempt === attempts) return kinds;
      version = ended;
    }
  }

  async #outlines(): Promise<readonly Outline[]> {
    const outlines: Outline[] = [];
    for await (const page of this.#pages()) outlines.push(...page.map(outlineOf));
    return outlines;
  }

  /** The rows of these definitions, in parts, as far as they still exist. */
  async *rows(uids: ReadonlySet<string>): AsyncGenerator<readonly Resource[]> {
    if (uids.size > fewDefinitions) {
      for await (const page of this.#pages()) yield page.filter(({ uid }) => uids.has(uid));
      return;
    }
    const { kind } = resourceDefinitions;
    const found = await Promise.all(
      [...uids].map((uid) => this.#reader.get({ by: 'uid', uid, group: platformGroup, kind }, null)),
    );
    yield found.flatMap(({ resource }) => resource ?? []);
  }

  async *#pages(): AsyncGenerator<readonly Resource[]> {
    const collection = { group: platformGroup, kind: resourceDefinitions.kind, ancestors: [] };
    let count = 0;
    for (let after: string | null = null; ; ) {
      const page = await this.#reader.list(collection, { limit: pageSize, after }, null);
      if (page.outcome !== 'page') throw new Error('the collection of definitions is always there');
      yield page.items;
      count += page.items.length;
      if (!page.more || count >= maxDefinitions) return;
      after = page.items.at(-1)?.name ?? null;
    }
  }
}

function outlineOf(row: Resource): Outline {
  const spec = storedDefinitionSpec(row);
  const versions = spec.versions.map(({ name, served, storage, schema }) => ({
    name,
    served,
    storage,
    schema: scaleOutline(schema),
  }));
  const { group, kind, plural, parent, singular, shortNames, categories } = spec;
  const named = { singular, shortNames, categories };
  const outline = { group, kind, plural, parent, ...named, versions, allowedStatusControllerIds: [] };
  return { uid: row.uid, generation: row.generation, spec: outline as DefinitionSpec };
}

function kindsOf(outlines: readonly Outline[]): readonly KnownKind[] {
  const byKind = new Map(outlines.map(({ spec }) => [`${spec.group}/${spec.kind}`, spec]));
  const registered = outlines.flatMap(({ uid, generation, spec }) => {
    const depth = depthOf(spec, byKind);
    if (depth === null) return [];
    const definition = { uid, generation };
    return spec.versions
      .filter(({ served }) => served)
      .map(({ name }) => ({ kind: kindOf(spec, name, depth), definition }));
  });
  return [...platformKinds.map((kind) => ({ kind, definition: null })), ...registered];
}
