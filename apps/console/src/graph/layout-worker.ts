import { Graph, layout } from '@dagrejs/dagre';
import { nodeHeight, nodeWidth } from './dimensions.ts';
import type { GraphEdge, GraphNode } from './graph.ts';

export interface LayoutRequest {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export type Positions = Readonly<Record<string, { readonly x: number; readonly y: number }>>;

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 16, ranksep: 80 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of data.nodes) graph.setNode(id, { width: nodeWidth, height: nodeHeight });
  for (const { from, to, relation } of data.edges) graph.setEdge(from, to, {}, relation);
  layout(graph);
  const positions = Object.fromEntries(
    data.nodes.map(({ id }) => {
      const { x = 0, y = 0 } = graph.node(id) as { x?: number; y?: number };
      return [id, { x: x - nodeWidth / 2, y: y - nodeHeight / 2 }];
    }),
  );
  postMessage(positions satisfies Positions);
});
