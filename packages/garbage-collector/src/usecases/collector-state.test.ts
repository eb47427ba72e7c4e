import { fakeClock } from '@platform/development/testing';
import { CollectorState } from './collector-state.ts';

const setUp = () =>
  new CollectorState({ clock: fakeClock(), random: { bytes: (length) => new Uint8Array(length) } });

const blockedBy = (uid: string) => ({ revision: 1, blocker: { uid, revision: 1, live: false } });

describe('a row of the collector', () => {
  it('is free when its blocker is removed, and not when another row or a finalizer is known to hold it', () => {
    const state = setUp();
    state.blocked.set('owner', blockedBy('child'));
    state.blocked.set('held', { revision: 1, blocker: null });
    expect(state.isFree('owner', (uid) => uid === 'child')).toBe(true);
    expect(state.isFree('owner', (uid) => uid === 'sibling')).toBe(false);
    expect(state.isFree('held', () => true)).toBe(false);
  });

  it('is free when nothing is known of it, and not before its next attempt when it failed', () => {
    const state = setUp();
    expect(state.isFree('unknown', () => false)).toBe(true);
    state.retry('locked', 'contended');
    expect(state.isFree('locked', () => true)).toBe(false);
  });

  it.each(['retry', 'forget'] as const)('is in no queue and not known to be blocked after %s', (action) => {
    const state = setUp();
    for (const rows of [state.queue.seeds, state.queue.owners]) rows.add('row');
    state.queue.rows.set('row', 'tombstone');
    state.blocked.set('row', blockedBy('child'));
    if (action === 'retry') state.retry('row', 'refused');
    else state.forget('row');
    expect(state.queue.empty).toBe(true);
    expect(state.blocked.size).toBe(0);
    expect(state.retries.has('row')).toBe(action === 'retry');
  });
});
