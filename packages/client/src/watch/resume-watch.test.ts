import { FakeTimers } from '@platform/development/testing';
import { errorOf } from '../http/platform-error.ts';
import { type ResumeOptions, resumeWatch } from './resume-watch.ts';

const proxyError = (status: number) => errorOf(status, new Headers(), '<html>from a proxy</html>', 0);

/** The events read from streams that send an event or fail, one after another. */
async function read(
  streams: readonly (string | Error)[],
  options: Pick<ResumeOptions, 'onOutage' | 'onRecovery'> = {},
): Promise<(string | undefined)[]> {
  const timers = new FakeTimers();
  const stopping = new AbortController();
  const left = [...streams];
  async function* open(cursor: string | undefined) {
    const next = left.shift();
    if (next === undefined) return stopping.abort();
    if (next instanceof Error) throw next;
    yield { cursor: next, after: cursor };
  }
  const told: (string | undefined)[] = [];
  const reading = (async () => {
    const events = resumeWatch(open, { timers, signal: stopping.signal, ...options });
    for await (const event of events) told.push(`${event.cursor} after ${event.after ?? 'nothing'}`);
  })();
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  reading.then(over, over);
  while (!isOver) await timers.advance(60_000);
  await reading;
  return told;
}

describe('a watch that is resumed', () => {
  it('goes on after its last event when the platform restarts behind a proxy', async () => {
    const streams = ['1', proxyError(502), proxyError(503), proxyError(504), '2'];
    expect(await read(streams)).toEqual(['1 after nothing', '2 after 1']);
  });

  it('tells an outage when it begins and when it is over, and not that a token has expired', async () => {
    const told: unknown[] = [];
    const options = {
      onOutage: (error: unknown) => told.push((error as { readonly status: number }).status),
      onRecovery: () => told.push('over'),
    };
    const expired = errorOf(401, new Headers(), '{"code":"unauthenticated","status":401}', 0);
    await read(
      ['1', expired, '2', proxyError(502), proxyError(503), '3', '4', proxyError(504), '5'],
      options,
    );
    expect(told).toEqual([502, 'over', 504, 'over']);
  });

  it('ends with an answer that no repetition changes', async () => {
    await expect(read(['1', proxyError(404), '2'])).rejects.toMatchObject({ status: 404 });
  });
});
