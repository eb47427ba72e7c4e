import { Memory } from './memory.ts';
import { WorkList } from './work-list.ts';

const waitingFor = (uid: string) => ({
  revision: 1,
  witness: { uid, revision: 1, live: false },
  spread: true,
});

describe('the work list', () => {
  it('hands out every row once, within the limit, and none that was examined meanwhile', () => {
    const work = new WorkList();
    work.addRegion(['a', 'b', 'c', 'd', 'a']);
    work.examined('c');
    expect(work.nextOfRegion(2)).toEqual(['a', 'b']);
    expect(work.nextOfRegion(2)).toEqual(['d']);
    expect(work.nextOfRegion(2)).toEqual([]);
  });

  it('takes a chain of waiting rows along, so that it goes in one batch', () => {
    const work = new WorkList();
    const memory = new Memory(10);
    memory.remember('b', waitingFor('a'));
    memory.remember('c', waitingFor('b'));
    memory.remember('d', waitingFor('c'));
    work.ascend('a');
    expect(work.nextAscending(3, memory)).toEqual(['a', 'b', 'c']);
  });

  it('spreads from the row that came last, each once, and not from one that is gone', () => {
    const work = new WorkList();
    for (const uid of ['a', 'b', 'b', 'c']) work.spread(uid);
    work.done('c');
    expect(work.nextSeeds(10).map(({ uid }) => uid)).toEqual(['b', 'a']);
  });

  it('fills a batch from the page, each row once, unless something is to be spread first', () => {
    const work = new WorkList();
    work.addPage(['a', 'b', 'c', 'd']);
    expect(work.filledFromPage(['x', 'b'], 4)).toEqual(['x', 'b', 'a', 'c']);
    work.spread('s');
    expect(work.filledFromPage(['y'], 4)).toEqual(['y']);
    work.done('s');
    expect(work.filledFromPage(['y'], 4)).toEqual(['y', 'd']);
    expect(work.nextOfPage(4)).toEqual([]);
  });
});
