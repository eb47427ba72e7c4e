import type { Graph } from './graph.ts';
import type { Positions } from './layout-worker.ts';

/**
 * The node that an arrow leads to: Right and Left follow an edge, to the nearest node in height; Down and Up go along the column.
 * Null where nothing is.
 */
export function neighbourOf(
  { nodes, edges }: Pick<Graph, 'nodes' | 'edges'>,
  places: Positions,
  id: string,
  key: string,
): string | null {
  const here = places[id];
  if (here === undefined) return null;
  const near = (ids: readonly string[]) =>
    [...ids].sort((a, b) => Math.abs(heightOf(a) - here.y) - Math.abs(heightOf(b) - here.y))[0] ?? null;
  const heightOf = (one: string) => places[one]?.y ?? 0;
  const column = nodes.map((one) => one.id).filter((one) => one !== id && places[one]?.x === here.x);
  switch (key) {
    case 'ArrowRight':
      return near(edges.filter(({ from }) => from === id).map(({ to }) => to));
    case 'ArrowLeft':
      return near(edges.filter(({ to }) => to === id).map(({ from }) => from));
    case 'ArrowDown':
      return near(column.filter((one) => heightOf(one) > here.y));
    case 'ArrowUp':
      return near(column.filter((one) => heightOf(one) < here.y));
    default:
      return null;
  }
}
