import type { DefinitionVersion } from '../model/definition.ts';
import type { Resource } from '../model/resource.ts';

/** A definition with its ancestors' definitions, leaf first; [] and null when there is none. */
export interface LoadedDefinitions {
  readonly chain: readonly Resource[];
  readonly version: DefinitionVersion;
}

/** Reads of the definitions that requests are resolved with. */
export interface DefinitionSource {
  /**
   * Must return the definition with that group and plural, its ancestors' definitions and its version, from one snapshot.
   * A chain that is broken (a definition was removed in the database) ends before the gap.
   */
  load(group: string, plural: string): Promise<LoadedDefinitions>;

  /** Must return the version that the next statement would see; null when no definition has that group and plural. */
  version(group: string, plural: string): Promise<DefinitionVersion>;
}
