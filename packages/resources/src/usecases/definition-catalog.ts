import { Problem } from '@platform/kernel';
import { type Collection, platformGroup } from '../model/definition.ts';
import type { CatalogEpoch } from '../ports/catalog-epoch.ts';
import type { DefinitionSource } from '../ports/definition-source.ts';
import { StaleDefinitions } from '../ports/stale-definitions.ts';
import { builtInCollection, resolveCollection } from '../rules/resolve-collection.ts';

/** A collection as a request sees it. */
export interface CatalogView {
  /** Null when no definition claims the group and plural. */
  readonly collection: Collection | null;
  /** What statements for the request have to compare with. */
  readonly epoch: CatalogEpoch;
  /** Whether it was read for this very request, so that a refusal needs no second look. */
  readonly fresh: boolean;
}

/** Runs of one request. Each one after the first means that a definition was written meanwhile. */
const maxRounds = 10;

/**
 * The definitions that this replica has seen, at most `maxEntries` of them. It is never asked whether they are current:
 * statements compare the epoch, and refusals are confirmed, so a steady state costs no round trip (contract 2.16).
 */
export class DefinitionCatalog {
  readonly #source: DefinitionSource;
  readonly #maxEntries: number;
  readonly #entries = new Map<string, CatalogView>();
  readonly #loading = new Map<string, Promise<CatalogView>>();
  /** The newest epoch that was seen; entries of an older one are read again before use. */
  #epoch = 0;

  constructor(source: DefinitionSource, maxEntries = 1000) {
    this.#source = source;
    this.#maxEntries = maxEntries;
  }

  /**
   * Runs `attempt` with the collection of a group and plural, and runs it again with current definitions when a statement finds
   * them stale, or when the attempt is refused with a view that turns out to be stale.
   */
  async resolve<T>(group: string, plural: string, attempt: (view: CatalogView) => Promise<T>): Promise<T> {
    for (let round = 0; round < maxRounds; round += 1) {
      const view = this.#known(group, plural) ?? (await this.#load(group, plural));
      try {
        return await attempt(view);
      } catch (error) {
        if (error instanceof StaleDefinitions) {
          this.#epoch = Math.max(this.#epoch, await this.#source.epoch());
          continue;
        }
        if (!isRefusal(error) || view.fresh || (await this.#isCurrent(view.epoch))) throw error;
      }
    }
    throw new Problem('contention', 'Definitions keep changing; try again.', { retryAfterSeconds: 1 });
  }

  async #isCurrent(epoch: CatalogEpoch): Promise<boolean> {
    if (epoch === null) return true;
    this.#epoch = Math.max(this.#epoch, await this.#source.epoch());
    return this.#epoch === epoch;
  }

  /** What needs no look at the database: built-in kinds, and what was seen at the newest epoch. */
  #known(group: string, plural: string): CatalogView | undefined {
    if (group === platformGroup) {
      return { collection: builtInCollection(group, plural), epoch: null, fresh: true };
    }
    const entry = this.#entries.get(`${group}/${plural}`);
    if (entry === undefined || entry.epoch !== this.#epoch) return undefined;
    return entry;
  }

  async #load(group: string, plural: string): Promise<CatalogView> {
    const key = `${group}/${plural}`;
    // Requests that arrive during a load share it. For them it is not fresh: it may have begun before they did.
    const loading = this.#loading.get(key);
    if (loading !== undefined) return { ...(await loading), fresh: false };
    const load = this.#read(key, group, plural).finally(() => this.#loading.delete(key));
    this.#loading.set(key, load);
    return await load;
  }

  async #read(key: string, group: string, plural: string): Promise<CatalogView> {
    const { epoch, chain } = await this.#source.load(group, plural);
    this.#epoch = Math.max(this.#epoch, epoch);
    const collection = resolveCollection(chain);
    this.#entries.delete(key);
    this.#entries.set(key, { collection, epoch, fresh: false });
    if (this.#entries.size > this.#maxEntries) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    return { collection, epoch, fresh: true };
  }
}

/** Whether the attempt certainly wrote nothing. After any other error a second run could meet what the first one wrote. */
function isRefusal(error: unknown): boolean {
  return error instanceof Problem && error.status < 500;
}
