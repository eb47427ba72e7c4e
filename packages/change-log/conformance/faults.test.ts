import { faultsOf, type Told } from './faults.ts';

const told = (uid: string, revision: number, removed = false): Told => ({ uid, revision, removed });
const committed = [told('a', 1), told('b', 1), told('a', 2), told('a', 2, true)];

describe('the faults of a reader', () => {
  it('are none when every revision came once, in any order of the resources', () => {
    expect(faultsOf([told('b', 1), told('a', 1), told('a', 2), told('a', 2, true)], committed)).toEqual([]);
  });

  it('name what is missing, came twice, came late or was never committed', () => {
    expect(faultsOf(committed.slice(0, 3), committed)).toEqual(['a@2- is missing']);
    expect(faultsOf([...committed, told('b', 1)], committed)).toEqual(['b@1 came twice']);
    expect(faultsOf([told('a', 2), told('a', 1), told('b', 1), told('a', 2, true)], committed)).toEqual([
      'a@1 came after a later one',
    ]);
    expect(faultsOf([...committed, told('c', 1)], committed)).toEqual(['c@1 was never committed']);
  });

  it('tell a removal from the revision that it keeps', () => {
    const early = [told('a', 1), told('a', 2, true), told('a', 2), told('b', 1)];
    expect(faultsOf(early, committed)).toEqual(['a@2 came after a later one']);
  });
});
