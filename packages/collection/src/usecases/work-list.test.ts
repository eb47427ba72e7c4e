import { Memory } from './memory.ts';
import { WorkList } from './work-list.ts';

const waitingFor = (uid: string) => ({
  revision: 1,
  witness: { uid, revision: 1, live: false },
  spread: true,
});

describe('the work list', () => {
  it('hands out the region before what ascends, and both within the limit', () => {
    const work = new WorkList();
    const memory = new Memory(10);
    work.ascend('up');
    work.addRegion(['a', 'b', 'c']);
    expect(work.nextBatch(2, memory)).toEqual(['a', 'b']);
    expect(work.nextBatch(2, memory)).toEqual(['c']);
    expect(work.nextBatch(2, memory)).toEqual(['up']);
    expect(work.nextBatch(2, memory)).toEqual([]);
  });

  it('takes a chain of waiting rows along, so that it goes in one batch', () => {
    const work = new WorkList();
    const memory = new Memory(10);
    memory.remember('b', waitingFor('a'));
    memory.remember('c', waitingFor('b'));
    memory.remember('d', waitingFor('c'));
    work.ascend('a');
    expect(work.nextBatch(3, memory)).toEqual(['a', 'b', 'c']);
  });

  it('spreads from the row that came last, each once, and not from one that is gone', () => {
    const work = new WorkList();
    for (const uid of ['a', 'b', 'b', 'c']) work.spread(uid);
    work.done('c');
    expect(work.nextSeeds(10).map(({ uid }) => uid)).toEqual(['b', 'a']);
  });
});
