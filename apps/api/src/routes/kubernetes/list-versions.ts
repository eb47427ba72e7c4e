import { listVersion } from '@platform/kubernetes';
import type { ResourcePage } from '@platform/resources';
import { LRUCache } from 'lru-cache';

/** Lists that are remembered: some kilobytes each, and a client that compares two asks for them soon after each other. */
const remembered = { max: 1_000, ttl: 60_000 };
/** Longer lists are not compared. */
const maxItems = 500;

/**
 * The versions of lists. Two reads of one state are at different points of the change log; the later one has the version of the earlier one,
 * after which nothing in the list has changed.
 */
export class ListVersions {
  readonly #known = new LRUCache<string, { readonly state: string; readonly version: string }>(remembered);

  /** The version of a whole list. `request` names what was asked for. */
  of(request: string, { items, cursor, next }: ResourcePage): string {
    const version = listVersion(cursor);
    if (next !== null || items.length > maxItems) return version;
    const state = items.map(({ uid, revision }) => `${uid}.${revision}`).join(' ');
    const known = this.#known.get(request);
    if (known?.state === state) return known.version;
    this.#known.set(request, { state, version });
    return version;
  }
}
