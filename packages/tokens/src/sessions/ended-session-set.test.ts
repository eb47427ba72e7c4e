import { EndedSessionSet } from './ended-session-set.ts';
import { emailKey, sessionKey, userKey } from './revocation.ts';

const session = { id: 's1', uid: 'u1', email: 'Ann@example.dev', startedAt: 1_000_000 };
const revocation = (key: string, more: object = {}) => ({
  key,
  endedUntil: 1_500_000,
  revokedAt: 1_500_000,
  expiresAt: 9_000_000,
  ...more,
});

describe('the ended sessions of a process', () => {
  it.each([sessionKey('s1'), userKey('u1'), emailKey('ANN@example.dev')])(
    'have one that ended by %s',
    (key) => {
      const set = new EndedSessionSet();
      expect(set.has(session)).toBe(false);
      set.add([revocation(key)]);
      expect(set.has(session)).toBe(true);
      expect(set.has({ ...session, id: 's2', uid: 'u2', email: 'b@example.dev' })).toBe(false);
    },
  );

  it('do not have a session of the user that started later, or a code that has no session yet', () => {
    const set = new EndedSessionSet();
    set.add([revocation(userKey('u1')), revocation(sessionKey('null'))]);
    expect(set.has({ ...session, startedAt: 1_500_001 })).toBe(false);
    expect(set.has({ ...session, id: null, startedAt: 1_500_000 })).toBe(true);
  });

  it('keep the end that ends more, in whatever order both are read', () => {
    const set = new EndedSessionSet();
    const [early, late] = [revocation(userKey('u1')), revocation(userKey('u1'), { endedUntil: 2_000_000 })];
    for (const order of [
      [early, late],
      [late, early],
    ])
      set.add(order);
    expect(set.has({ ...session, startedAt: 1_900_000 })).toBe(true);
    expect(set.size).toBe(1);
  });

  // Attack: somebody logs in and out until the memory of every replica is full, or until ends of sessions are forgotten.
  it('are bounded, and do not know about sessions that are old enough to be among the forgotten ones', () => {
    const set = new EndedSessionSet(2);
    const at = (revokedAt: number) => revocation(sessionKey(`s${revokedAt}`), { revokedAt });
    set.add([at(1_000_000), at(2_000_000), at(3_000_000)]);
    expect(set.size).toBe(2);
    expect(set.has(session)).toBe('unknown');
    expect(set.has({ ...session, startedAt: 1_000_000 + 60_001 })).toBe(false);
    // Read again because the reads overlap: no newer revocation is forgotten for it.
    set.add([at(1_000_000)]);
    expect([...[2_000_000, 3_000_000]].map((n) => set.has({ ...session, id: `s${n}` }))).toEqual([
      true,
      true,
    ]);
  });

  it('forget what has expired, also by a clock that is a minute behind', () => {
    const set = new EndedSessionSet();
    set.add([revocation(sessionKey('s1'), { expiresAt: 5 })]);
    set.dropExpired(60_004);
    expect(set.size).toBe(1);
    set.dropExpired(60_005);
    expect(set.size).toBe(0);
  });

  it('tell a stream once that its session ended, and nobody who has stopped listening', () => {
    const set = new EndedSessionSet();
    const heard: string[] = [];
    set.listen(session, () => heard.push('stream'));
    set.listen({ ...session, startedAt: 2_000_000 }, () => heard.push('later session'));
    const stop = set.listen(session, () => heard.push('stopped'));
    stop();
    set.add([revocation(userKey('u2')), revocation(userKey('u1'))]);
    expect(heard).toEqual(['stream']);
  });
});
