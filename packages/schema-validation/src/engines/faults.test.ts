import { type Failure, toFaults } from './faults.ts';

function* failuresBelow(name: string): Generator<Failure> {
  for (let index = 0; index < 1_000; index += 1)
    yield { path: `/${name}/${index}`, keyword: 'type', schema: { type: 'string' } };
}

describe('the faults of a document', () => {
  it('are at most as many as asked for', () => {
    expect(toFaults(failuresBelow('a'), 10)).toHaveLength(10);
  });

  // Attack: a name of half a megabyte, which is in the path of each of a thousand faults below it.
  it('have at most a megabyte, and at least one is told', () => {
    expect(toFaults(failuresBelow('n'.repeat(500_000)), 1_000)).toHaveLength(3);
    expect(toFaults(failuresBelow('n'.repeat(2_000_000)), 1_000)).toHaveLength(1);
  });
});
