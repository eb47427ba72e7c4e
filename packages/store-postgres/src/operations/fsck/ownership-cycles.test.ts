import { nodesOfCycles } from './ownership-cycles.ts';

/** Edges from letters: "ab" leads from a to b. */
const nodes = (...edges: readonly string[]) =>
  nodesOfCycles(edges.map((edge) => [edge[0] as string, edge[1] as string] as const))
    .toSorted()
    .join('');

describe('the nodes of cycles', () => {
  it('are all nodes of a ring, and one that leads to itself', () => {
    expect(nodes('ab', 'bc', 'ca', 'dd')).toBe('abcd');
  });
  it('are not those that lead to a cycle, come from one, or join two', () => {
    expect(nodes('xa', 'ab', 'ba', 'by', 'yc', 'cd', 'dc', 'dz')).toBe('abcd');
  });
  it('are none where paths meet again', () => {
    expect(nodes('ab', 'ac', 'bd', 'cd', 'de')).toBe('');
  });
  it('are found from whichever node the search begins', () => {
    expect(nodes('ba', 'cb', 'ac', 'da')).toBe('abc');
  });
  it('are found in a chain of 200,000, whose end leads to its middle', () => {
    const edges = Array.from({ length: 200_000 }, (_, at) => [`${at}`, `${at + 1}`] as const);
    expect(nodesOfCycles([...edges, ['200000', '100000']])).toHaveLength(100_001);
  });
});
