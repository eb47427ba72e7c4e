import '@xyflow/react/dist/style.css';
import '../styles/graph.css';
import {
  Controls,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { KindRegistry } from '../api/kinds.ts';
import { useSettings } from '../app/settings.ts';
import { visibleText } from '../logic/visible-text.ts';
import { nodeHeight, nodeWidth } from './dimensions.ts';
import type { Graph, GraphNode } from './graph.ts';
import { GraphName, GraphState } from './graph-name.tsx';
import type { Positions } from './layout-worker.ts';
import { neighbourOf } from './neighbour.ts';
import { useLayout } from './use-layout.ts';

type ResourceNode = Node<
  { readonly node: GraphNode; readonly registry: KindRegistry; readonly isCurrent: boolean },
  'resource'
>;

interface GraphProps {
  readonly graph: Graph;
  readonly registry: KindRegistry;
}

/** Small graphs are not blown up. */
const fit = { maxZoom: 1 };
/** Small enough that a large graph fits, also on a phone. */
const minZoom = 0.05;

const nodeTypes = { resource: GraphBox };

/** The graph as a drawing. Dragging is never needed: the buttons zoom and fit, and the list has the same content. */
export function GraphCanvas(props: GraphProps) {
  const positions = useLayout(props.graph);
  if (positions === 'late')
    return <p className="banner">The drawing takes too long. The list shows the same.</p>;
  if (positions === null) return <div className="graph" />;
  return (
    <ReactFlowProvider>
      <Drawing {...props} positions={positions} />
    </ReactFlowProvider>
  );
}

/** One stop for Tab; arrows follow the edges from there, as the list of keys says. */
function Drawing({ graph, registry, positions }: GraphProps & { readonly positions: Positions }) {
  const center = graph.nodes.find(({ isCenter }) => isCenter)?.id ?? '';
  const [chosen, setChosen] = useState(center);
  const current = positions[chosen] === undefined ? center : chosen;
  const box = useRef<HTMLElement>(null);
  const { zoomIn, zoomOut, fitView, getZoom, setCenter } = useReactFlow();
  const { singleKeys } = useSettings();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Readonly<Record<string, () => unknown>> = singleKeys
      ? { '+': () => zoomIn(), '-': () => zoomOut(), 0: () => fitView(fit) }
      : {};
    const next = neighbourOf(graph, positions, current, event.key);
    const act = acts[event.key];
    if (next === null && act === undefined) return;
    event.preventDefault();
    if (next === null) return void act?.();
    setChosen(next);
    const link = box.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(next)}"] a`);
    link?.focus({ preventScroll: true });
    const { x, y } = positions[next] ?? { x: 0, y: 0 };
    if (link !== null && link !== undefined && !isInside(link, box.current))
      void setCenter(x + nodeWidth / 2, y + nodeHeight / 2, { zoom: getZoom() });
  };
  const nodes: ResourceNode[] = graph.nodes.map((node) => ({
    id: node.id,
    type: 'resource',
    position: positions[node.id] ?? { x: 0, y: 0 },
    data: { node, registry, isCurrent: node.id === current },
    width: nodeWidth,
    height: nodeHeight,
    focusable: false,
    draggable: false,
  }));
  const edges = graph.edges.map(({ from, to, relation }) => ({
    id: `${from} ${to} ${relation}`,
    source: from,
    target: to,
    focusable: false,
    className: relation === 'parent' ? 'edge-parent' : 'edge-owner',
    ...(relation === 'parent' ? {} : { label: relation }),
  }));
  return (
    <section ref={box} className="graph" aria-label="Drawing of the graph" onKeyDown={onKeyDown}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        nodesConnectable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        proOptions={{ hideAttribution: true }}
        fitView
        fitViewOptions={fit}
        minZoom={minZoom}
      >
        <Controls showInteractive={false} fitViewOptions={fit} />
        <FitToSize />
      </ReactFlow>
    </section>
  );
}

/** Whether all of an element shows inside of another. */
function isInside(element: HTMLElement, outer: HTMLElement | null): boolean {
  const [one, all] = [element.getBoundingClientRect(), outer?.getBoundingClientRect()];
  if (all === undefined) return true;
  return one.left >= all.left && one.right <= all.right && one.top >= all.top && one.bottom <= all.bottom;
}

/** Fits the drawing again when its box gets another size, as when a phone is turned. */
function FitToSize() {
  const { fitView } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useEffect(() => {
    if (width > 0 && height > 0) void fitView(fit);
  }, [width, height, fitView]);
  return null;
}

function GraphBox({ data: { node, registry, isCurrent } }: NodeProps<ResourceNode>) {
  return (
    <div
      className="graph-node"
      data-center={node.isCenter}
      title={visibleText(node.identity?.name ?? node.title)}
    >
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <GraphName node={node} registry={registry} tabIndex={isCurrent ? 0 : -1} />
      <GraphState node={node} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}
