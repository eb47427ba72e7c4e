import { Problem, StorageUnavailable } from '@platform/kernel';
import { renderError } from '../src/model/stream-event.ts';
import { fixture } from './fixture.ts';

describe('the streams of a process', () => {
  it('read the log once for all, and not at all while there are none', async () => {
    const { feed, watches, open, settled, timers } = fixture();
    expect(watches.isReading).toBe(false);
    const sinks = [await open(), await open(), await open()];
    const reads = feed.reads;
    feed.write('a', {});
    await settled();
    expect(feed.reads - reads).toBeLessThanOrEqual(2);
    expect(sinks.map(({ told }) => told.length)).toEqual([1, 1, 1]);
    for (const sink of sinks) sink.close();
    await settled();
    expect(watches.isReading).toBe(false);
    expect(feed.listeners).toBe(0);
    const idle = feed.reads;
    await timers.advance(20_000);
    expect(feed.reads).toBe(idle);
  });

  it('send a bookmark at least every 15 seconds that is never before the events', async () => {
    const { feed, open, timers } = fixture();
    const sink = await open();
    feed.write('other', { kind: 'Barn' });
    await timers.advance(60_000);
    const bookmarks = sink.events.filter(({ type }) => type === 'BOOKMARK');
    expect(bookmarks.length).toBeGreaterThanOrEqual(5);
    expect(bookmarks.at(-1).cursor).toBe(`1.${Number.MAX_SAFE_INTEGER}`);
  });

  it('poll when no wake-up comes', async () => {
    const { feed, open, timers } = fixture();
    feed.listen = async () => ({ close: async () => undefined });
    const sink = await open();
    feed.write('a', {});
    await timers.advance(2_000);
    expect(sink.told).toEqual(['ADDED a@1']);
  });

  it('go on after an outage of the log', async () => {
    const { feed, open, timers, settled, logger } = fixture();
    const sink = await open();
    feed.failure = new StorageUnavailable('The database is away.');
    feed.write('a', {});
    await settled();
    await timers.advance(2_000);
    expect(sink.told).toEqual(['ADDED a@1']);
    expect(logger.lines).toMatchObject([
      { level: 'warn', fields: { reason: 'The database is away.' } },
      { level: 'info', message: 'watch: the change log is read again' },
    ]);
  });

  it('end when the log has lost their place', async () => {
    const { feed, open, settled } = fixture();
    const sink = await open();
    feed.failure = new Problem('not_found', 'lost');
    feed.write('a', {});
    await settled();
    expect(sink.told).toEqual(['ERROR not_found']);
  });

  it('are not ended by a read that was begun for earlier streams', async () => {
    const { feed, open, settled } = fixture();
    const earlier = await open();
    const read = feed.read;
    let fail = (_error: Error) => {};
    feed.read = () =>
      new Promise((_, reject) => {
        fail = reject;
      });
    feed.write('a', {});
    await settled();
    feed.read = read;
    earlier.close();
    const sink = await open();
    fail(new Problem('cursor_expired', 'The log no longer has the place.'));
    await settled();
    feed.write('b', {});
    await settled();
    expect([sink.told, sink.isEnded]).toEqual([['ADDED a@1', 'ADDED b@1'], false]);
  });

  it('end with 401 when the credential expires, and with a bookmark when their time is over', async () => {
    const { open, timers } = fixture();
    const expiring = await open({ expiresAt: 5_000 });
    const timed = await open({ endsAt: 5_000 });
    await timers.advance(6_000);
    expect(expiring.told).toEqual(['ERROR unauthenticated']);
    expect(timed.events.at(-1).type).toBe('BOOKMARK');
    expect([expiring.isEnded, timed.isEnded]).toEqual([true, true]);
  });

  it('end with the refusal of a caller that lost its access', async () => {
    const { feed, open, watches, settled } = fixture({
      affects: ({ resource }) => (resource.kind === 'Rule' ? { group: 'farm.example', kind: 'Farm' } : null),
    });
    let refusal: Problem | null = null;
    const sink = await open({ check: async () => refusal });
    const other = await open({
      scope: { ...fixture().farms, kind: { group: 'farm.example', kind: 'Barn' } },
      check: async () => refusal,
    });
    feed.write('first', { kind: 'Rule' });
    await settled();
    expect(sink.isEnded).toBe(false);
    refusal = new Problem('forbidden', 'no');
    feed.write('second', { kind: 'Rule' });
    await settled();
    expect(sink.told).toEqual(['ERROR forbidden']);
    expect(other.isEnded).toBe(false);
    await watches.recheck();
    expect(other.told).toEqual(['ERROR forbidden']);
  });

  // Attack: a caller loses its access while the database does not answer, and goes on reading.
  it('are checked again when their access could not be checked', async () => {
    const { open, watches, timers, logger } = fixture();
    let outcome: Promise<Problem | null> = Promise.reject(new StorageUnavailable('away'));
    const sink = await open({ check: () => outcome });
    await watches.recheck();
    expect(sink.isEnded).toBe(false);
    outcome = Promise.resolve(new Problem('forbidden', 'no'));
    await timers.advance(1_100);
    expect(sink.told.at(-1)).toBe('ERROR forbidden');
    expect(logger.lines).toMatchObject([
      { level: 'warn', fields: { reason: 'away' } },
      { level: 'info', message: 'watch: access is checked again' },
    ]);
  });

  it('share a check after many changes in a row', async () => {
    const { feed, open, settled } = fixture({ affects: () => 'all' });
    let checks = 0;
    await open({
      check: async () => {
        checks += 1;
        return null;
      },
    });
    feed.together(() => {
      for (let count = 0; count < 20; count += 1) feed.write(`r${count}`, {});
    });
    await settled();
    expect(checks).toBeLessThanOrEqual(2);
  });

  it('are limited for each caller and in all, and give their places back', async () => {
    const { watches, open } = fixture({ limits: { perProcess: 3, perCaller: 2 } });
    const sinks = [await open(), await open()];
    expect(() => watches.admit('somebody')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    const other = watches.admit('other');
    expect(() => watches.admit('third')).toThrow(expect.objectContaining({ code: 'unavailable' }));
    watches.release(other);
    watches.release(other);
    sinks[0]?.close();
    await open();
    expect(() => watches.admit('somebody')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    expect(watches.counts).toEqual({ open: 2, behind: 0 });
  });

  it('end with a bookmark when the process stops, and no more are admitted', async () => {
    const { watches, open } = fixture();
    const sink = await open();
    watches.stop();
    expect(sink.events.at(-1).type).toBe('BOOKMARK');
    expect(sink.isEnded).toBe(true);
    expect(() => watches.admit('somebody')).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect(watches.counts.open).toBe(0);
  });
});

it('renders the last event of a stream', () => {
  expect(renderError('{"status":404}', { format: 'sse' }).toString()).toBe(
    'event: ERROR\ndata: {"type":"ERROR","problem":{"status":404}}\n\n',
  );
});
