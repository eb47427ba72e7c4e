import type { RemovedNode, RemovedResource } from '../model/removed-resource.ts';
import type { Resource } from '../model/resource.ts';

/** Reads of removed resources from the change log, as far as it reaches back. */
export interface RemovedResources {
  /** Must return the last states of those that were removed, in the order of the uids. The caller bounds them. */
  find(uids: readonly string[]): Promise<readonly RemovedResource[]>;

  /** Must return up to `limit` of what one deletion removed, in the order of the removals. */
  removedBy(cascadeId: string, limit: number): Promise<readonly RemovedNode[]>;

  /**
   * Must return whether the log has the entry by which the resource was tombstoned. Then it also has every removal that this deletion
   * caused below it, since these came later.
   */
  hasTombstoning(uid: string): Promise<boolean>;

  /**
   * Must return the row that each removed resource lives on in: the newest one that it was restored as and that exists, also when it was
   * removed and restored again in between. A resource without one is not in the map.
   */
  restoredAs(uids: readonly string[]): Promise<ReadonlyMap<string, Resource>>;
}
