import { FakeTimers } from '@platform/development/testing';
import { errorOf } from '../http/platform-error.ts';
import { resumeWatch } from './resume-watch.ts';

const proxyError = (status: number) => errorOf(status, new Headers(), '<html>from a proxy</html>', 0);

/** The events read from streams that send an event or fail, one after another. */
async function read(streams: readonly (string | Error)[]): Promise<(string | undefined)[]> {
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
    const events = resumeWatch(open, { timers, signal: stopping.signal });
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

  it('ends with an answer that no repetition changes', async () => {
    await expect(read(['1', proxyError(404), '2'])).rejects.toMatchObject({ status: 404 });
  });
});
