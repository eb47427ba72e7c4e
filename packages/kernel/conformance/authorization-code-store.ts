import type { AuthorizationCode, AuthorizationCodeStore } from '../src/index.ts';

const now = Date.UTC(2026, 0, 1);

/**
 * The guarantees of every {@link AuthorizationCodeStore}. `create` returns an empty store for each test; `owners` are the owners that the
 * store distinguishes: the first and the last are extensions of one project, the second is one of another.
 */
export function describeAuthorizationCodeStore(
  create: () => Promise<AuthorizationCodeStore>,
  owners: readonly [string | null, ...(string | null)[]],
): void {
  const [ours, theirs, sibling = null] = owners;
  let store: AuthorizationCodeStore;
  beforeEach(async () => {
    store = await create();
  });

  function code(number: number, changes: Partial<AuthorizationCode> = {}): AuthorizationCode {
    const hash = number.toString(16).padStart(64, '0');
    return { hash, owner: ours, sealed: `sealed ${number}`, expiresAt: now + 1000, ...changes };
  }

  it('returns a record until it is consumed', async () => {
    await store.save(code(1));
    expect(await store.peek(code(1), now)).toBe('sealed 1');
    expect(await store.peek(code(1), now)).toBe('sealed 1');
    expect(await store.consume(code(1), now)).toBe('sealed 1');
    expect([await store.peek(code(1), now), await store.consume(code(1), now)]).toEqual([null, null]);
  });

  it('knows no record of an unknown value', async () => {
    await store.save(code(1));
    expect([await store.peek(code(2), now), await store.consume(code(2), now)]).toEqual([null, null]);
  });

  // Attack: a stolen code is redeemed twice by requests that are sent at the same moment.
  it('lets exactly one of concurrent calls consume a record', async () => {
    await store.save(code(1));
    const consumed = await Promise.all(Array.from({ length: 8 }, () => store.consume(code(1), now)));
    expect(consumed.filter((sealed) => sealed !== null)).toEqual(['sealed 1']);
  });

  it('returns a record until the moment it expires', async () => {
    await store.save(code(1));
    expect([await store.peek(code(1), now + 1000), await store.consume(code(1), now + 1000)]).toEqual([
      null,
      null,
    ]);
    expect(await store.peek(code(1), now + 999)).toBe('sealed 1');
    expect(await store.consume(code(1), now + 999)).toBe('sealed 1');
  });

  it('deletes expired records, at most a batch at a time', async () => {
    for (const number of [1, 2, 3]) await store.save(code(number));
    await store.save(code(4, { expiresAt: now + 5000 }));
    expect(await store.deleteExpired(now + 999, 2)).toBe(0);
    expect(await store.deleteExpired(now + 1000, 2)).toBe(2);
    expect(await store.deleteExpired(now + 1000, 2)).toBe(1);
    expect(await store.deleteExpired(now + 1000, 2)).toBe(0);
    expect(await store.consume(code(4), now)).toBe('sealed 4');
  });

  if (theirs === undefined) return;

  it('stores a record only if those of its owner have room for it, which expired and other ones do not take', async () => {
    const save = (number: number, size: number, changes: Partial<AuthorizationCode> = {}) =>
      store.save(code(number, { sealed: 'x'.repeat(size), ...changes }), {
        maxBytes: 100,
        maxProjectBytes: 150,
        now,
      });
    await store.save(code(1, { sealed: 'x'.repeat(500), expiresAt: now }));
    await store.save(code(2, { sealed: 'x'.repeat(500), owner: theirs }));
    expect(await save(3, 60)).toBe(true);
    expect(await save(4, 41)).toBe(false);
    expect(await store.peek(code(4), now)).toBeNull();
    expect(await save(4, 40)).toBe(true);
    expect(await save(5, 1)).toBe(false);
    await store.consume(code(3), now);
    expect(await save(5, 60)).toBe(true);
    expect(await store.save(code(6))).toBe(true);
  });

  // Attack: a tenant with hundreds of extensions stores as much under each of them.
  it('stores a record only if those of its project have room for it', async () => {
    const save = (number: number, size: number, changes: Partial<AuthorizationCode> = {}) =>
      store.save(code(number, { sealed: 'x'.repeat(size), ...changes }), {
        maxBytes: 100,
        maxProjectBytes: 150,
        now,
      });
    expect(await save(1, 100)).toBe(true);
    expect(await save(2, 100, { owner: theirs })).toBe(true);
    expect(await save(3, 51, { owner: sibling })).toBe(false);
    expect(await save(3, 50, { owner: sibling })).toBe(true);
    expect(await save(4, 1, { owner: sibling })).toBe(false);
    await store.consume(code(1), now);
    expect(await save(4, 50, { owner: sibling })).toBe(true);
  });

  // Attack: one extension redeems the code of another.
  it('does not find the record of another owner, and keeps it', async () => {
    await store.save(code(1));
    expect(await store.peek(code(1, { owner: theirs }), now)).toBeNull();
    expect(await store.consume(code(1, { owner: theirs }), now)).toBeNull();
    expect(await store.consume(code(1), now)).toBe('sealed 1');
  });
}
