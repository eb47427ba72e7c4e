import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { KindRegistry } from '../api/kinds.ts';
import { depths } from './dimensions.ts';
import { type Graph, groupsHaveTables } from './graph.ts';
import { mostNodes } from './graph-builder.ts';
import { GraphCanvas } from './graph-canvas.tsx';
import { GraphList } from './graph-list.tsx';

/** The graph, as a drawing or as a list with the same content. */
export function GraphPanel({
  graph,
  isCut,
  depth,
  registry,
}: {
  readonly graph: Graph;
  /** Whether the server has left out owners or dependents. */
  readonly isCut: boolean;
  readonly depth: number;
  readonly registry: KindRegistry;
}) {
  const navigate = useNavigate();
  const haveTables = groupsHaveTables(graph);
  const isNarrow = window.matchMedia('(max-width: 767px)').matches;
  const [asList, setAsList] = useState(isNarrow || graph.nodes.length > mostNodes);
  return (
    <div className="stack">
      <div className="toolbar">
        <button type="button" className="button" onClick={() => setAsList(!asList)}>
          {asList ? 'Show the drawing' : 'Show as a list'}
        </button>
        <label className="with-label">
          Levels below
          <select
            className="input short"
            value={depth}
            onChange={({ target }) =>
              void navigate({
                to: '.',
                search: (before) => ({ ...before, depth: target.value }),
                resetScroll: false,
              })
            }
          >
            {depths.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        {graph.folded === 0 ? null : (
          <span className="muted">
            {graph.folded.toLocaleString('en')} resources are in groups
            {haveTables ? ', which lead to their tables.' : '. Only groups of children lead to a table.'}
          </span>
        )}
        {isCut || graph.isCut ? (
          <span className="muted">
            There is more than is read for a graph{haveTables ? '; tables have all of it' : ''}.
          </span>
        ) : null}
      </div>
      {asList ? (
        <GraphList graph={graph} registry={registry} />
      ) : (
        <GraphCanvas graph={graph} registry={registry} />
      )}
    </div>
  );
}
