import type { DefinitionCatalog, Resource } from '@platform/resources';

/** The versions that objects are stored at, of the definitions that a request shows. They are read before the definitions are rendered. */
export class StoredVersions {
  readonly #catalog: DefinitionCatalog;
  readonly #known = new Map<string, readonly string[]>();

  constructor(catalog: DefinitionCatalog) {
    this.#catalog = catalog;
  }

  /** Reads those of definitions by their names, which begin with the plural. */
  async read(definitions: readonly Pick<Resource, 'name'>[]): Promise<void> {
    const plurals = definitions.map(({ name }) => name.split('.', 1)[0] ?? '');
    if (plurals.length === 0) return;
    for (const [plural, versions] of await this.#catalog.storedVersions(plurals))
      this.#known.set(plural, versions);
  }

  /** The versions, as they were read; none for a definition without objects. */
  of(plural: string): readonly string[] {
    return this.#known.get(plural) ?? [];
  }
}
