import { useEffect, useState } from 'react';
import type { Graph } from './graph.ts';
import type { LayoutRequest, Positions } from './layout-worker.ts';

/** A layout that takes longer is given up: the list shows the same. */
const deadlineMs = 2_000;

/** Where the nodes stand; null until the worker has answered, `late` when it did not in time. */
export function useLayout({ nodes, edges }: Graph): Positions | null | 'late' {
  const [positions, setPositions] = useState<Positions | null | 'late'>(null);
  // Only other nodes or edges need another layout; a change of state does not.
  const shape = JSON.stringify([nodes.map(({ id }) => id), edges]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for nodes and edges
  useEffect(() => {
    const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), {
      type: 'module',
      name: 'layout',
    });
    const deadline = setTimeout(() => {
      worker.terminate();
      setPositions('late');
    }, deadlineMs);
    worker.onmessage = ({ data }: MessageEvent<Positions>) => {
      clearTimeout(deadline);
      setPositions(data);
    };
    worker.postMessage({ nodes, edges } satisfies LayoutRequest);
    return () => {
      clearTimeout(deadline);
      worker.terminate();
    };
  }, [shape]);
  return positions;
}
