import type { FlowEntry, FlowStore } from '../src/index.ts';

const now = Date.UTC(2026, 0, 1);
const ours = '0197f0a0-0000-7000-8000-000000000001';
const theirs = '0197f0a0-0000-7000-8000-000000000002';

function entry(number: number, changes: Partial<FlowEntry> = {}): FlowEntry {
  const hash = number.toString(16).padStart(64, '0');
  return { hash, extensionUid: ours, sealed: `sealed ${number}`, expiresAt: now + 1000, ...changes };
}

/** What every FlowStore must do. `create` makes an empty one for each test. */
export function describeFlowStore(create: () => Promise<FlowStore>): void {
  let store: FlowStore;
  beforeEach(async () => {
    store = await create();
  });

  it('hands out a state once', async () => {
    await store.saveState(entry(1));
    expect(await store.takeState(entry(1), now)).toBe('sealed 1');
    expect(await store.takeState(entry(1), now)).toBeNull();
  });

  it('hands a state to one of many concurrent callers', async () => {
    await store.saveState(entry(1));
    const taken = await Promise.all(Array.from({ length: 8 }, () => store.takeState(entry(1), now)));
    expect(taken.filter((sealed) => sealed !== null)).toEqual(['sealed 1']);
  });

  it('does not find the state or code of another extension, and leaves it to its own', async () => {
    await store.saveState(entry(1));
    await store.saveCode(entry(2));
    expect(await store.takeState(entry(1, { extensionUid: theirs }), now)).toBeNull();
    expect(await store.peekCode(entry(2, { extensionUid: theirs }), now)).toBeNull();
    expect(await store.consumeCode(entry(2, { extensionUid: theirs }), now)).toBe(false);
    expect(await store.takeState(entry(1), now)).toBe('sealed 1');
    expect(await store.consumeCode(entry(2), now)).toBe(true);
  });

  it('keeps an entry until the moment it expires, and not beyond', async () => {
    await store.saveState(entry(1));
    await store.saveCode(entry(2));
    expect(await store.takeState(entry(1), now + 1000)).toBeNull();
    expect(await store.peekCode(entry(2), now + 1000)).toBeNull();
    expect(await store.consumeCode(entry(2), now + 1000)).toBe(false);
    expect(await store.peekCode(entry(2), now + 999)).toBe('sealed 2');
    expect(await store.takeState(entry(1), now + 999)).toBe('sealed 1');
  });

  it('shows a code as often as asked until it is consumed', async () => {
    await store.saveCode(entry(1));
    expect(await store.peekCode(entry(1), now)).toBe('sealed 1');
    expect(await store.peekCode(entry(1), now)).toBe('sealed 1');
    expect(await store.consumeCode(entry(1), now)).toBe(true);
    expect(await store.peekCode(entry(1), now)).toBeNull();
  });

  it('lets one of many concurrent callers consume a code', async () => {
    await store.saveCode(entry(1));
    const consumed = await Promise.all(Array.from({ length: 8 }, () => store.consumeCode(entry(1), now)));
    expect(consumed.filter(Boolean)).toHaveLength(1);
  });

  it('keeps states and codes apart', async () => {
    await store.saveState(entry(1));
    expect(await store.peekCode(entry(1), now)).toBeNull();
    expect(await store.consumeCode(entry(1), now)).toBe(false);
  });

  it('sweeps what has expired, states and codes, at most a batch at a time', async () => {
    await store.saveState(entry(1));
    await store.saveState(entry(2));
    await store.saveCode(entry(3));
    await store.saveState(entry(4, { expiresAt: now + 5000 }));
    await store.saveCode(entry(5, { expiresAt: now + 5000 }));
    expect(await store.sweepExpired(now + 1000, 2)).toBe(2);
    expect(await store.sweepExpired(now + 1000, 2)).toBe(1);
    expect(await store.sweepExpired(now + 1000, 2)).toBe(0);
    expect(await store.takeState(entry(4), now)).toBe('sealed 4');
    expect(await store.consumeCode(entry(5), now)).toBe(true);
  });
}
