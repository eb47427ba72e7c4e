import type { DefinitionVersion } from '../model/definition.ts';
import type { Resource } from '../model/resource.ts';

/** A definition with its ancestors' definitions, leaf first; [] and null when there is none. */
export interface LoadedDefinitions {
  readonly chain: readonly Resource[];
  readonly version: DefinitionVersion;
}

/** Reads the definitions that requests are resolved with. */
export interface DefinitionSource {
  /**
   * Must return the definition with that group and plural, its ancestors' definitions and its version, from one snapshot.
   * The chain ends before a missing definition.
   */
  load(group: string, plural: string): Promise<LoadedDefinitions>;

  /** Must return the stored version; null when no definition has that group and plural. */
  version(group: string, plural: string): Promise<DefinitionVersion>;
}

/**
 * A store throws this when the definition changed after the request was resolved, before any other refusal and before anything is
 * written. `DefinitionCatalog.resolve` catches it, resolves the request with the current definitions and runs it again.
 */
export class StaleDefinitions extends Error {
  override readonly name = 'StaleDefinitions';

  constructor() {
    super('definitions changed after the request was resolved');
  }
}
