import { recordingLogger } from '@platform/development/testing';
import { Problem } from '@platform/kernel';
import { type Revocation, sessionKey } from '@platform/tokens';
import { RevocationFollower } from '../src/process/revocation-follower.ts';

const session = { id: 's1', uid: 'u1', email: 'a@example.dev', startedAt: 1_000 };
const revocation = (revokedAt: number, id = 's1'): Revocation => ({
  key: sessionKey(id),
  endedUntil: 9_000_000,
  revokedAt,
  expiresAt: 9_000_000,
});

/** A follower on a table in memory, with a clock that the test moves. */
function following(capacity?: number) {
  const state = {
    now: 0,
    reads: 0,
    asked: 0,
    fault: null as Error | null,
    table: [] as Revocation[],
    ahead: 0,
  };
  const read = (rows: readonly Revocation[]) => {
    state.reads += 1;
    if (state.fault !== null) throw state.fault;
    return rows;
  };
  let notify = () => {};
  const follower = new RevocationFollower({
    store: {
      async revocationsSince({ revokedAt, recentMs }) {
        const since = Math.min(revokedAt, recentMs === undefined ? revokedAt : state.now - recentMs);
        return read(state.table.filter((one) => one.revokedAt > since));
      },
      latestRevocations: async (limit) => read(state.table.slice(-limit)),
      async isRevoked(keys) {
        state.asked += 1;
        return state.table.some(({ key }) => keys.includes(key));
      },
    },
    listen(listener) {
      notify = listener;
      return { close: async () => {} };
    },
    log: recordingLogger(),
    monotonic: { now: () => state.now },
    clock: { now: () => state.now + state.ahead },
    ...(capacity === undefined ? {} : { capacity }),
  });
  return { state, follower, notify: () => notify() };
}

describe('the follower of ended sessions', () => {
  it('answers from memory without asking the database while it has read within a second', async () => {
    const { state, follower } = following();
    expect(await follower.hasEnded(session)).toBe(false);
    const { reads } = state;
    for (state.now = 0; state.now <= 900; state.now += 100) expect(follower.hasEnded(session)).toBe(false);
    expect(state.reads).toBe(reads);
  });

  it('reads before it answers once a second has passed, however many ask at once', async () => {
    const { state, follower } = following();
    await follower.hasEnded(session);
    state.table.push(revocation(5));
    state.now = 1_000;
    const { reads } = state;
    expect(await Promise.all([1, 2, 3].map(() => follower.hasEnded(session)))).toEqual([true, true, true]);
    expect(state.reads).toBe(reads + 1);
  });

  it('knows what its own process has ended when it has caught up, also during a read', async () => {
    const { state, follower } = following();
    await follower.hasEnded(session);
    state.now = 500;
    const early = follower.catchUp();
    state.table.push(revocation(500));
    await Promise.all([early, follower.catchUp()]);
    expect(follower.hasEnded(session)).toBe(true);
    state.fault = new Problem('unavailable', 'away');
    await follower.catchUp();
  });

  // Attack: the database is cut off from one replica, where an ended session would go on for as long as that lasts.
  it('refuses sessions while the database cannot be read, and accepts them again after that', async () => {
    const { state, follower } = following();
    await follower.hasEnded(session);
    state.now = 1_000;
    state.fault = new Problem('unavailable', 'away');
    await expect(follower.hasEnded(session)).rejects.toMatchObject({ code: 'unavailable' });
    state.fault = null;
    expect(await follower.hasEnded(session)).toBe(false);
  });

  it('sees revocations that commit in another order than they were timed', async () => {
    const { state, follower } = following();
    state.table.push(revocation(50_000, 'other'));
    await follower.hasEnded(session);
    state.table.unshift(revocation(30_000));
    state.now = 1_000;
    expect(await follower.hasEnded(session)).toBe(true);
  });

  // Accident: the clock of the database was an hour ahead and was set back, or a standby with a slower clock took over.
  it('sees revocations that are timed before those that it has read', async () => {
    const { state, follower } = following();
    state.table.push(revocation(3_600_000, 'other'));
    await follower.hasEnded(session);
    state.now = 1_000;
    state.table.unshift(revocation(1_000));
    expect(await follower.hasEnded(session)).toBe(true);
  });

  // Accident: the clock of this machine was ahead for a while, and the revocation seemed to have expired with its session.
  it('knows a revocation again when the clock of the machine was ahead and was set back', async () => {
    const { state, follower } = following();
    state.table.push(revocation(5));
    state.now = 1_000;
    expect(await follower.hasEnded(session)).toBe(true);
    state.ahead = 10_000_000;
    state.now += 61_000;
    expect(await follower.hasEnded(session)).toBe(false);
    state.ahead = 0;
    state.now += 1_000;
    expect(await follower.hasEnded(session)).toBe(true);
  });

  it('asks the database about sessions that are older than its memory', async () => {
    const { state, follower } = following(2);
    for (const n of [1, 2, 3]) state.table.push(revocation(n * 1_000_000, `s${n}`));
    expect(await follower.hasEnded(session)).toBe(true);
    expect(state.asked).toBe(1);
    expect(await follower.hasEnded({ ...session, id: 'x', startedAt: 2_500_000 })).toBe(false);
    expect(state.asked).toBe(1);
  });

  it('tells streams when their session ends, as soon as it is notified', async () => {
    const { state, follower, notify } = following();
    follower.start();
    await follower.hasEnded(session);
    const ended = new Promise<void>((resolve) => {
      const facts = { ...session, expiresAt: 9, emailVerified: true, account: null, groups: [] };
      follower.onEnded(session, facts, resolve);
    });
    state.table.push(revocation(5));
    notify();
    await ended;
    await follower.close();
  });
});
