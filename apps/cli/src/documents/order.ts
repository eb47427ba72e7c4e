import type { Catalog } from '../kinds/catalog.ts';
import { definitionKind, type Kind, kindOfDefinition } from '../kinds/kind.ts';
import type { ResourceDocument } from './document.ts';

/** The kind that a document registers; null when it is not a definition. */
export function registeredBy({ apiVersion, kind, spec }: ResourceDocument): Kind | null {
  const isDefinition = kind === definitionKind.kind && apiVersion.startsWith(`${definitionKind.group}/`);
  return isDefinition ? kindOfDefinition(spec) : null;
}

/**
 * Sorts documents so that each one is applied after those it depends on: definitions first, then parents before children. Otherwise
 * the order stays. `catalog` must contain the kinds that the documents register.
 */
export function inOrder(documents: readonly ResourceDocument[], catalog: Catalog): ResourceDocument[] {
  const rank = (document: ResourceDocument): number => {
    const registered = registeredBy(document);
    if (registered !== null) return depth(registered) / 100;
    const kind = catalog.find(document.apiVersion, document.kind);
    return kind === undefined ? 1 : 1 + depth(kind);
  };
  const depth = (kind: Kind): number => {
    try {
      return catalog.ancestorsOf(kind).length;
    } catch {
      // The parent kind is unknown. The server will report it.
      return 0;
    }
  };
  return documents
    .map((document, index) => ({ document, rank: rank(document), index }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ document }) => document);
}
