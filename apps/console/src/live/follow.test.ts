import type { WatchChange } from '../api/resource.ts';
import { follow } from './follow.ts';

type Answer = Response | Error;

/** Follows a script of answers to its end, and says what was told. */
async function play(answers: readonly Answer[]) {
  const told: string[] = [];
  const asked: string[] = [];
  const slept: number[] = [];
  const stop = new AbortController();
  const rest = [...answers];
  await follow(
    '/watched',
    'c0',
    {
      live: () => told.push('live'),
      change: ({ type, object }: WatchChange) => told.push(`${type} ${object.metadata.name}`),
      moved: () => undefined,
      cut: () => told.push('cut'),
      expired: () => told.push('expired'),
      refused: (status) => told.push(`refused ${status}`),
    },
    {
      fetch: async (path) => {
        asked.push(path.replace('/watched?watch=true&cursor=', ''));
        const answer = rest.shift();
        if (answer === undefined) stop.abort();
        if (!(answer instanceof Response)) throw answer ?? new Error('stopped');
        return answer;
      },
      sleep: async (ms) => {
        slept.push(ms);
      },
      random: () => 1,
    },
    stop.signal,
  );
  return { told, asked, slept };
}

function stream(...lines: readonly string[]): Response {
  return new Response(lines.join(''));
}

function change(name: string, cursor: string): string {
  return `${JSON.stringify({ type: 'MODIFIED', cursor, object: { metadata: { name } } })}\n`;
}

const bookmark = (cursor: string) => `${JSON.stringify({ type: 'BOOKMARK', cursor })}\n`;

describe('follow', () => {
  it('goes on after the last whole line when a stream is cut in the middle of one', async () => {
    const cut = change('b', 'c2').slice(0, 20);
    const { told, asked } = await play([stream(change('a', 'c1'), cut), stream(change('b', 'c2'))]);
    expect(told).toEqual(['live', 'MODIFIED a', 'live', 'MODIFIED b']);
    expect(asked).toEqual(['c0', 'c1', 'c2']);
  });

  it('goes on from a bookmark', async () => {
    expect((await play([stream(bookmark('c7'))])).asked).toEqual(['c0', 'c7']);
  });

  it('waits longer after each failure, and says that it is cut', async () => {
    const { told, slept } = await play([
      new Error('down'),
      new Response('', { status: 503 }),
      new Error('down'),
    ]);
    expect(told).toEqual(['cut', 'cut', 'cut']);
    expect(slept).toEqual([1_000, 2_000, 4_000]);
  });

  it('waits as long as a refusal has asked for, and then like after any failure', async () => {
    const busy = (seconds: string) => new Response('', { status: 503, headers: { 'Retry-After': seconds } });
    const limited = new Response('', { status: 429, headers: { 'Retry-After': '40' } });
    const { told, slept } = await play([busy('7'), limited, new Error('down')]);
    expect(told).toEqual(['cut', 'cut', 'cut']);
    expect(slept).toEqual([8_000, 42_000, 4_000]);
  });

  it('waits no longer than at first when a stream is cut that had run', async () => {
    const cut = () => {
      const body = new TextEncoder().encode(bookmark('c1'));
      let isRead = false;
      return new Response(
        new ReadableStream({
          pull(control) {
            if (isRead) control.error(new Error('cut'));
            else control.enqueue(body);
            isRead = true;
          },
        }),
      );
    };
    const { slept } = await play([new Error('down'), new Error('down'), cut(), cut(), new Error('down')]);
    expect(slept).toEqual([1_000, 2_000, 1_000, 1_000, 2_000]);
  });

  it('waits shortly after an orderly end, and does not call it a cut', async () => {
    const { told, slept } = await play([stream(bookmark('c1')), stream(bookmark('c2'))]);
    expect(told).toEqual(['live', 'live']);
    expect(slept).toEqual([1_000, 1_000]);
  });

  it.each([
    [410, 'expired'],
    [403, 'refused 403'],
    [404, 'refused 404'],
  ])('ends with status %i', async (status, word) => {
    const { told, asked } = await play([new Response('{}', { status })]);
    expect(told).toEqual([word]);
    expect(asked).toHaveLength(1);
  });

  it('ends with an ERROR event of the stream', async () => {
    const error = `${JSON.stringify({ type: 'ERROR', problem: { status: 403 } })}\n`;
    expect((await play([stream(error)])).told).toEqual(['live', 'refused 403']);
  });
});
