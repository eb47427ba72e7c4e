import { Memory } from './memory.ts';

const witness = { uid: 'w', revision: 1, live: false };

describe('the memory of held tombstones', () => {
  it('knows who waits for a row, until that changes', () => {
    const memory = new Memory(10);
    memory.remember('a', { revision: 1, witness, spread: false });
    memory.remember('b', { revision: 1, witness, spread: false });
    memory.remember('b', { revision: 2, witness: null, spread: true });
    expect(memory.waitersOf('w')).toEqual(['a']);
    memory.forget('a');
    expect(memory.waitersOf('w')).toEqual([]);
  });

  it('counts how often a row was looked at, until it is forgotten', () => {
    const memory = new Memory(10);
    expect(memory.noteSpread('a')).toBe(false);
    for (const revision of [1, 2]) memory.remember('a', { revision, witness, spread: false });
    expect(memory.noteSpread('a')).toBe(true);
    expect(memory.get('a')).toEqual({ revision: 2, witness, spread: true, looks: 2 });
    memory.forget('a');
    memory.remember('a', { revision: 3, witness, spread: false });
    expect(memory.get('a')?.looks).toBe(1);
  });

  it('forgets what it has known longest rather than growing beyond its bound', () => {
    const memory = new Memory(2);
    for (const uid of ['a', 'b', 'c']) memory.remember(uid, { revision: 1, witness, spread: false });
    expect(memory.size).toBe(2);
    expect(memory.get('a')).toBeUndefined();
    expect(memory.waitersOf('w')).toEqual(['b', 'c']);
  });
});
