import { Problem } from '@platform/kernel';
import { LRUCache } from 'lru-cache';
import { registeredCollection } from '../kinds/registered-collection.ts';
import { findBuiltInCollection } from '../kinds/table.ts';
import { type Collection, platformGroup } from '../model/definition.ts';
import type { DefinitionSource } from '../ports/definition-source.ts';
import { StaleDefinitions } from '../ports/stale-definitions.ts';

/** A collection as a request sees it. */
export interface CatalogView {
  /** Null when no definition claims the group and plural. */
  readonly collection: Collection | null;
  /** Whether it was read for this very request. */
  readonly fresh: boolean;
}

/** How many definitions are kept, and how large they may be together, about, in bytes. */
export interface CatalogLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** Twice the kinds that an installation is expected to have; the bytes keep schemas of a megabyte from filling the process. */
const defaultLimits: CatalogLimits = { entries: 20_000, bytes: 64 * 1024 * 1024 };

/** Runs of one request. Each one after the first means that the definition of its own kind was written meanwhile. */
const maxRounds = 10;

/**
 * The definitions that this replica used last, each with the version that it was read at. Whether one is current is never asked
 * beforehand: statements compare its version, and refusals are confirmed, so an ordinary request costs no round trip for it.
 * Definitions of other kinds play no part.
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
   * it stale, or when the attempt is refused with a view that turns out to be stale.
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

  /** Whether a refusal holds: the view that it was decided with is current after the request began. */
  async #isConfirmed(
    group: string,
    plural: string,
    { collection, fresh }: CatalogView,
    refusal: Problem,
  ): Promise<boolean> {
    if (group === platformGroup) return true;
    // Without a definition there is no version that statements could compare, only the refusal of the path itself needs none.
    if (fresh && (collection !== null || refusal.code === 'unknown_collection')) return true;
    const current = await this.#source.version(group, plural);
    return current?.version === collection?.definition?.version;
  }

  /** The collection without a look at the database: built-in kinds, and definitions that are kept. */
  #known(group: string, plural: string): CatalogView | undefined {
    if (group === platformGroup) return { collection: findBuiltInCollection(group, plural), fresh: true };
    const collection = this.#entries.get(keyOf(group, plural));
    return collection === undefined ? undefined : { collection, fresh: false };
  }

  async #load(group: string, plural: string): Promise<CatalogView> {
    const key = keyOf(group, plural);
    // Requests that arrive during a load share it. For them it is not fresh: it may have begun before they did.
    const loading = this.#loading.get(key);
    if (loading !== undefined) return { collection: await loading, fresh: false };
    const load = this.#read(group, plural).finally(() => this.#loading.delete(key));
    this.#loading.set(key, load);
    return { collection: await load, fresh: true };
  }

  /** Names that no definition has are not kept: anybody can make up any number of them. */
  async #read(group: string, plural: string): Promise<Collection | null> {
    const { chain, version } = await this.#source.load(group, plural);
    const collection = registeredCollection(chain, version);
    if (collection !== null) this.#entries.set(keyOf(group, plural), collection);
    return collection;
  }

  /** Drops what turned out to be stale, unless another request has read the definition again already. */
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

/** Whether the attempt certainly wrote nothing. After any other error a second run could meet what the first one wrote. */
function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500;
}
