import { neighbourOf } from './neighbour.ts';

const node = (id: string) => ({
  id,
  title: id,
  kind: 'Page',
  deleting: 0,
  identity: null,
  table: null,
  isCenter: id === 'c',
});
const edge = (from: string, to: string) => ({ from, to, relation: 'parent' as const });

//  a      d1
//  b — c < d2
//         d3
const graph = {
  nodes: ['a', 'b', 'c', 'd1', 'd2', 'd3'].map(node),
  edges: [edge('a', 'c'), edge('b', 'c'), edge('c', 'd1'), edge('c', 'd2'), edge('c', 'd3')],
};
const places = {
  a: { x: 0, y: 0 },
  b: { x: 0, y: 90 },
  c: { x: 300, y: 100 },
  d1: { x: 600, y: 0 },
  d2: { x: 600, y: 100 },
  d3: { x: 600, y: 200 },
};

describe('an arrow in a graph', () => {
  it.each([
    ['c', 'ArrowRight', 'd2'],
    ['c', 'ArrowLeft', 'b'],
    ['d2', 'ArrowUp', 'd1'],
    ['d1', 'ArrowDown', 'd2'],
    ['d3', 'ArrowLeft', 'c'],
    ['d3', 'ArrowDown', null],
    ['d3', 'ArrowRight', null],
    ['c', 'ArrowUp', null],
    ['c', 'x', null],
    ['gone', 'ArrowRight', null],
  ])('leads from %s by %s to %s', (from, key, to) => {
    expect(neighbourOf(graph, places, from, key)).toBe(to);
  });
});
