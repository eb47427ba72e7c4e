import type { Relative } from '../api/resource.ts';
import { groupBy } from '../logic/group-by.ts';
import type { Center, Graph, GraphEdge, Level } from './graph.ts';
import { GraphBuilder } from './graph-builder.ts';

/**
 * The resource in the middle, parents and owners before it, children and dependents after it, then the levels below. `isCut` says that
 * there are more dependents.
 */
export function buildGraph(
  center: Center,
  owners: readonly Relative[],
  dependents: readonly Relative[],
  levels: readonly Level[] = [],
  isCut = false,
): Graph {
  const graph = new GraphBuilder(center);
  for (const owner of owners) graph.addBefore(nodeOf(owner), relationOf(owner));
  const kinds = groupBy(dependents, (one) => `${relationOf(one)} ${one.apiVersion} ${one.kind}`);
  const place = [...center.ancestors, center.name];
  for (const members of kinds.values()) {
    const [first] = members;
    if (first === undefined) continue;
    const relation = relationOf(first);
    // Only what is below the center has a table of its own.
    const names = first.relationship === 'structuralChild' ? place : null;
    graph.addSiblings(center.uid, members.map(nodeOf), relation, names, isCut);
  }
  for (const { parentKind, items, isCut } of levels) graph.addLevel(parentKind, items, isCut);
  return graph.result();
}

function nodeOf({ uid, name, kind, apiVersion, deletionTimestamp }: Relative) {
  return { uid, name, kind, apiVersion, deleting: deletionTimestamp !== null };
}

function relationOf({ relationship, blockOwnerDeletion }: Relative): GraphEdge['relation'] {
  if (relationship === 'parent' || relationship === 'structuralChild') return 'parent';
  return blockOwnerDeletion === true ? 'blocking owner' : 'owner';
}
