import { useState } from 'react';
import type { KindRegistry } from '../api/kinds.ts';
import { ResourceName } from '../ui/resource-name.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import { GraphCanvas } from './graph-canvas.tsx';
import type { Graph, GraphNode } from './graph-model.ts';

/** More nodes than this are shown as a list. */
const mostNodes = 150;

/** The graph, as a drawing or as a list with the same content. */
export function GraphPanel({ graph, registry }: { readonly graph: Graph; readonly registry: KindRegistry }) {
  const isNarrow = window.matchMedia('(max-width: 767px)').matches;
  const [asList, setAsList] = useState(isNarrow || graph.nodes.length > mostNodes);
  return (
    <div className="stack">
      <div className="toolbar">
        <button type="button" className="button" aria-pressed={asList} onClick={() => setAsList(!asList)}>
          {asList ? 'Show the drawing' : 'Show as a list'}
        </button>
        {graph.folded === 0 ? null : (
          <span className="muted">{graph.folded} resources are in groups. The explanation lists them.</span>
        )}
      </div>
      {asList ? (
        <GraphList graph={graph} registry={registry} />
      ) : (
        <GraphCanvas graph={graph} registry={registry} />
      )}
    </div>
  );
}

function GraphList({ graph, registry }: { readonly graph: Graph; readonly registry: KindRegistry }) {
  const center = graph.nodes.find(({ isCenter }) => isCenter);
  const node = (id: string) => graph.nodes.find((one) => one.id === id);
  const above = graph.edges.filter(({ to }) => to === center?.id);
  const below = graph.edges.filter(({ from }) => from === center?.id);
  const line = (one: GraphNode | undefined, relation: string) =>
    one === undefined ? null : (
      <li key={one.id + relation}>
        <span className="grow">
          {one.identity === null ? (
            one.title
          ) : (
            <ResourceName registry={registry} identity={one.identity} tab="graph" />
          )}
        </span>
        <span className="muted">{relation}</span>
        {one.deleting ? <StateBadge state="deleting" /> : null}
      </li>
    );
  return (
    <div className="card">
      <ul className="rows">
        {above.map(({ from, relation }) => line(node(from), relation))}
        <li>
          <strong>{center?.title}</strong>
        </li>
        {below.map(({ to, relation }) =>
          line(node(to), relation === 'parent' ? 'child' : `names it as ${relation}`),
        )}
      </ul>
    </div>
  );
}
