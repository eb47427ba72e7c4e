import type { DeletionEdge, DeletionGraph, DeletionNode } from '../model/deletion-graph.ts';
import { cascadeFinalizer } from '../model/names.ts';
import { planDeletion } from './plan-deletion.ts';

function node(uid: string, changes: Partial<DeletionNode> = {}): DeletionNode {
  const identity = { apiVersion: 'example.dev/v1', kind: 'Widget', name: uid, uid, parentUid: null };
  return { identity, deletionTimestamp: null, finalizers: [], protected: false, ...changes };
}

function edge(owner: string, dependent: string, blocking = true): DeletionEdge {
  return { owner, dependent, relationship: blocking ? 'structuralChild' : 'ownerReference', blocking };
}

function graph(
  nodes: readonly DeletionNode[],
  edges: readonly DeletionEdge[],
  complete = true,
): DeletionGraph {
  const [root] = nodes;
  return {
    root: root as DeletionNode,
    nodes: new Map(nodes.map((one) => [one.identity.uid, one])),
    edges,
    complete,
  };
}

const effects = (of: DeletionGraph) =>
  Object.fromEntries(planDeletion(of).resources.map(({ resource, effect }) => [resource.uid, effect]));

describe('the plan of a deletion', () => {
  it('leaves out the requested resource, and names the nearest reason of each other one', () => {
    const edges = [edge('a', 'b'), edge('a', 'c', false), edge('b', 'c', false)];
    const { resources } = planDeletion(graph([node('a'), node('b'), node('c')], edges));
    expect(resources.map(({ resource, because }) => [resource.uid, because.owner?.uid])).toEqual([
      ['b', 'a'],
      ['c', 'a'],
    ]);
    expect(resources.map(({ because }) => [because.relationship, because.blockOwnerDeletion])).toEqual([
      ['structuralChild', null],
      ['ownerReference', false],
    ]);
  });

  it('holds what has a finalizer, and everything that waits for it', () => {
    const nodes = [node('a'), node('b'), node('c'), node('d', { finalizers: ['x/y'] }), node('e')];
    const edges = [edge('a', 'b'), edge('b', 'c'), edge('b', 'e'), edge('c', 'd')];
    expect(effects(graph(nodes, edges))).toEqual({ b: 'held', c: 'held', d: 'held', e: 'removed' });
    const [held] = planDeletion(graph(nodes, edges)).resources;
    expect(held?.heldBy).toEqual([{ resource: node('d').identity, finalizers: ['x/y'], protected: false }]);
  });

  it('does not hold an owner because of a dependent that does not block', () => {
    const nodes = [node('a'), node('b'), node('c', { finalizers: ['x/y'] })];
    expect(effects(graph(nodes, [edge('a', 'b'), edge('b', 'c', false)]))).toEqual({
      b: 'removed',
      c: 'held',
    });
  });

  it('does not count the finalizer of a cascade', () => {
    const nodes = [node('a'), node('b', { finalizers: [cascadeFinalizer] })];
    expect(effects(graph(nodes, [edge('a', 'b')]))).toEqual({ b: 'removed' });
  });

  it('names protected resources, and holds everything above them', () => {
    const nodes = [node('a'), node('b'), node('c', { protected: true })];
    const of = graph(nodes, [edge('a', 'b'), edge('b', 'c', false)]);
    expect(planDeletion(of).protected.map(({ uid }) => uid)).toEqual(['c']);
    expect(effects(of)).toEqual({ b: 'held', c: 'held' });
  });

  it('has a hash of exactly its resources, whatever their order and effect', () => {
    const edges = [edge('a', 'b'), edge('a', 'c')];
    const plan = planDeletion(graph([node('a'), node('b'), node('c')], edges));
    const other = planDeletion(
      graph([node('a'), node('c', { finalizers: ['x/y'] }), node('b')], edges.toReversed()),
    );
    expect(other.hash).toBe(plan.hash);
    expect(planDeletion(graph([node('a'), node('b')], [edge('a', 'b')])).hash).not.toBe(plan.hash);
    expect(
      planDeletion(graph([node('b'), node('a'), node('c')], [edge('b', 'a'), edge('b', 'c')])).hash,
    ).not.toBe(plan.hash);
    expect(planDeletion(graph([node('a'), node('b')], [edge('a', 'b')], false)).hash).toBeNull();
  });

  it('is made of chains of any length', () => {
    const nodes = Array.from({ length: 20_000 }, (_, index) => node(`n${index}`));
    const edges = nodes.slice(1).map((_, index) => edge(`n${index}`, `n${index + 1}`));
    expect(planDeletion(graph(nodes, edges)).resources).toHaveLength(19_999);
  });
});
