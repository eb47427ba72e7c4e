/**
 * Thrown by a store when definitions changed after the request was resolved, before anything else is found and before anything is
 * written. `DefinitionCatalog.resolve` catches it, resolves the request with the current definitions and runs it again.
 */
export class StaleDefinitions extends Error {
  override readonly name = 'StaleDefinitions';

  constructor() {
    super('definitions changed after the request was resolved');
  }
}
