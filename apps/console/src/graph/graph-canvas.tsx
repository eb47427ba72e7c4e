import '@xyflow/react/dist/style.css';
import '../styles/graph.css';
import {
  Controls,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { useEffect } from 'react';
import type { KindRegistry } from '../api/kinds.ts';
import { StateBadge } from '../ui/state-badge.tsx';
import type { Graph, GraphNode } from './graph.ts';
import { GraphName } from './graph-name.tsx';
import { nodeHeight, nodeWidth } from './sizes.ts';
import { useLayout } from './use-layout.ts';

type ResourceNode = Node<{ readonly node: GraphNode; readonly registry: KindRegistry }, 'resource'>;

/** Small graphs are not blown up. */
const fit = { maxZoom: 1 };

const nodeTypes = { resource: GraphBox };

/** The graph as a drawing. Dragging is never needed: the buttons zoom and fit, and the list has the same content. */
export function GraphCanvas({ graph, registry }: { readonly graph: Graph; readonly registry: KindRegistry }) {
  const positions = useLayout(graph);
  if (positions === 'late')
    return <p className="banner">The drawing takes too long. The list shows the same.</p>;
  if (positions === null) return <div className="graph" />;
  const nodes: ResourceNode[] = graph.nodes.map((node) => ({
    id: node.id,
    type: 'resource',
    position: positions[node.id] ?? { x: 0, y: 0 },
    data: { node, registry },
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
    <div className="graph">
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
      >
        <Controls showInteractive={false} fitViewOptions={fit} />
        <FitToSize />
      </ReactFlow>
    </div>
  );
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

function GraphBox({ data: { node, registry } }: NodeProps<ResourceNode>) {
  return (
    <div className="graph-node" data-center={node.isCenter}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <GraphName node={node} registry={registry} />
      {node.deleting ? <StateBadge state="deleting" /> : null}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}
