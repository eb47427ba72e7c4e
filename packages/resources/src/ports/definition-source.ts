import type { Resource } from '../model/resource.ts';

/** Reads of the definitions for the catalog that requests are judged by. */
export interface DefinitionSource {
  /**
   * Must return the definition with that group and plural and its ancestors' definitions, leaf first ([] when there is none),
   * together with the epoch, from one snapshot. A chain that is broken (a definition was removed in the database)
   * ends before the gap.
   */
  load(
    group: string,
    plural: string,
  ): Promise<{ readonly epoch: number; readonly chain: readonly Resource[] }>;

  /** Must return the epoch that the next statement would see. */
  epoch(): Promise<number>;
}
