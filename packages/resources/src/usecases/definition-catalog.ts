import { Problem } from '@platform/kernel';
import { LRUCache } from 'lru-cache';
import { registeredCollection } from '../kinds/registered-collection.ts';
import { findBuiltInCollection } from '../kinds/table.ts';
import { type Collection, platformGroup } from '../model/definition.ts';
import type { DefinitionSource } from '../ports/definitions.ts';
import { StaleDefinitions } from '../ports/definitions.ts';

/** The collection that a request is resolved with. */
export interface CatalogView {
  /** Null when no definition claims the group and plural. */
  readonly collection: Collection | null;
  /** Whether it was read for this request. */
  readonly fresh: boolean;
}

/** The most cached definitions, and their approximate total size in bytes. */
export interface CatalogLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** More kinds than an installation is expected to have. The bytes bound the memory of large schemas. */
const defaultLimits: CatalogLimits = { entries: 20_000, bytes: 64 * 1024 * 1024 };

/** The most attempts of one request. A retry means that the definition of its own kind was written during the attempt. */
const maxRounds = 10;

/**
 * A cache of definitions, each with the version at which it was read. It does not check beforehand whether a definition is current:
 * statements compare its version, and refusals are confirmed, so an ordinary request needs no extra round trip.
 * Changes of other kinds do not affect a request.
 */
export class DefinitionCatalog {
  readonly #source: DefinitionSource;
  readonly #entries: LRUCache<string, Collection>;
  readonly #loading = new Map<string, Promise<Collection | null>>();

  constructor(source: DefinitionSource, { entries, bytes }: CatalogLimits = defaultLimits) {
    this.#source = source;
    this.#entries = new LRUCache({ max: entries, maxSize: bytes, sizeCalculation: sizeOf });
  }

  /**
   * Runs `attempt` with the collection of a group and plural, and runs it again with the current definition when a statement finds
   * it stale, or when the attempt is refused with a stale view.
   */
  async resolve<T>(group: string, plural: string, attempt: (view: CatalogView) => Promise<T>): Promise<T> {
    for (let round = 0; round < maxRounds; round += 1) {
      const view = this.#known(group, plural) ?? (await this.#load(group, plural));
      try {
        return await attempt(view);
      } catch (error) {
        const stale = error instanceof StaleDefinitions;
        if (!stale && (!isRefusal(error) || (await this.#isConfirmed(group, plural, view, error))))
          throw error;
        this.#forget(group, plural, view);
      }
    }
    throw new Problem('contention', 'The definition of this kind keeps changing; try again.', {
      retryAfterSeconds: 1,
    });
  }

  /** The version of all definitions together; see `DefinitionSource`. */
  version(): Promise<string> {
    return this.#source.catalogVersion();
  }

  /** The versions that rows of the kinds are stored at; see `DefinitionSource`. */
  storedVersions(plurals: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.#source.storedVersions(plurals);
  }

  /** Drops the cached definition, so that the next request reads it. */
  forget(group: string, plural: string): void {
    this.#entries.delete(keyOf(group, plural));
  }

  /** Whether a refusal is final: its view was current after the request began. */
  async #isConfirmed(
    group: string,
    plural: string,
    { collection, fresh }: CatalogView,
    refusal: Problem,
  ): Promise<boolean> {
    if (group === platformGroup) return true;
    // Statements compare no version without a definition, so only the refusal of the path itself is final.
    if (fresh && (collection !== null || refusal.code === 'unknown_collection')) return true;
    const current = await this.#source.version(group, plural);
    return current?.version === collection?.definition?.version;
  }

  /** The collection without a query: built-in kinds and cached definitions. */
  #known(group: string, plural: string): CatalogView | undefined {
    if (group === platformGroup) return { collection: findBuiltInCollection(group, plural), fresh: true };
    const collection = this.#entries.get(keyOf(group, plural));
    return collection === undefined ? undefined : { collection, fresh: false };
  }

  async #load(group: string, plural: string): Promise<CatalogView> {
    const key = keyOf(group, plural);
    // Requests that arrive during a load share it. It is not fresh for them, because it may have begun before they did.
    const loading = this.#loading.get(key);
    if (loading !== undefined) return { collection: await loading, fresh: false };
    const load = this.#read(group, plural).finally(() => this.#loading.delete(key));
    this.#loading.set(key, load);
    return { collection: await load, fresh: true };
  }

  /** Unregistered names are not cached, because callers can invent any number of them. */
  async #read(group: string, plural: string): Promise<Collection | null> {
    const { chain, version } = await this.#source.load(group, plural);
    const collection = registeredCollection(chain, version);
    if (collection !== null) this.#entries.set(keyOf(group, plural), collection);
    return collection;
  }

  /** Drops a stale definition, unless another request has already read it again. */
  #forget(group: string, plural: string, { collection }: CatalogView): void {
    const key = keyOf(group, plural);
    if (this.#entries.peek(key) === collection) this.#entries.delete(key);
  }
}

function keyOf(group: string, plural: string): string {
  return `${group}/${plural}`;
}

/** Strings take two bytes a character at most; the rest of a definition is small. */
function sizeOf({ versions, allowedStatusControllerIds }: Collection): number {
  const texts = [...versions.map(({ schema }) => schema?.schema ?? ''), ...allowedStatusControllerIds];
  return 2048 + texts.reduce((sum, text) => sum + 2 * text.length + 64, 0);
}

/** Whether the attempt wrote nothing. After any other error, a retry could write a second time. */
function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500;
}
