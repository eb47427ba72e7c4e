import type { KindRegistry } from '../api/kinds.ts';
import { groupBy } from '../logic/group-by.ts';
import type { Graph, GraphEdge } from './graph.ts';
import { GraphName, GraphState } from './graph-name.tsx';

const words = { parent: 'child', owner: 'names it as owner', 'blocking owner': 'names it as blocking owner' };

/** The graph as lists in lists, with the same content as the drawing. */
export function GraphList({ graph, registry }: { readonly graph: Graph; readonly registry: KindRegistry }) {
  const center = graph.nodes.find(({ isCenter }) => isCenter);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const below = groupBy(graph.edges, ({ from }) => from);
  const item = (id: string, relation: string, more: readonly GraphEdge[]) => {
    const node = nodes.get(id);
    if (node === undefined) return null;
    return (
      <li key={`${id} ${relation}`}>
        <span className="line">
          <span className="grow">
            <GraphName node={node} registry={registry} />
          </span>
          <GraphState node={node} />
          <span className="muted">{relation}</span>
        </span>
        {more.length === 0 ? null : <ul>{more.map(after)}</ul>}
      </li>
    );
  };
  const after = ({ to, relation }: GraphEdge) => item(to, words[relation], below.get(to) ?? []);
  const above = graph.edges.filter(({ to }) => to === center?.id);
  return (
    <div className="card">
      <ul className="graph-list">
        {above.map(({ from, relation }) => item(from, relation, []))}
        {center === undefined ? null : item(center.id, 'this resource', below.get(center.id) ?? [])}
      </ul>
    </div>
  );
}
