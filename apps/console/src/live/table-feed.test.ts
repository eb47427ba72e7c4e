import fc from 'fast-check';
import type { Resource } from '../api/resource.ts';
import { isSignedOut } from './messages.ts';
import { TableFeed } from './table-feed.ts';

interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Resource;
}

/** A list and its change log, as the resource API serves them. Its cursors are places in the log. */
class FakeServer {
  readonly log: Change[] = [];
  readonly rows = new Map<string, Resource>();
  #made = 0;

  /** Creates, changes or removes the resource of a name. */
  touch(name: string, removes: boolean): void {
    const known = this.rows.get(name);
    if (known !== undefined && removes) {
      this.rows.delete(name);
      this.log.push({ type: 'DELETED', object: known });
      return;
    }
    const uid = known?.metadata.uid ?? `u${++this.#made}`;
    const revision = (known?.metadata.revision ?? 0) + 1;
    const object = {
      apiVersion: 'example.dev/v1',
      kind: 'Page',
      metadata: { name, uid, revision, ancestors: [], labels: {}, annotations: {}, creationTimestamp: '' },
    } as unknown as Resource;
    this.rows.set(name, object);
    this.log.push({ type: known === undefined ? 'ADDED' : 'MODIFIED', object });
  }

  get names(): readonly string[] {
    return [...this.rows.keys()].sort();
  }

  /** A page of `limit` names after one; read now, like a page of the API. */
  page(after: string, limit: number): object {
    const rest = this.names.filter((name) => name > after);
    const items = rest.slice(0, limit).map((name) => this.rows.get(name));
    const more = rest.length > limit ? { continue: rest[limit - 1] } : {};
    return { metadata: { cursor: String(this.log.length), ...more }, items };
  }

  lines(from: number): string {
    return this.log
      .slice(from)
      .map((change, index) => `${JSON.stringify({ ...change, cursor: String(from + index + 1) })}\n`)
      .join('');
  }
}

/** How the network treats one request. */
type Fate =
  /** The stream ends after so many bytes, in the middle of a line or of a letter. */
  | { readonly at: 'cut'; readonly bytes: number }
  /** The stream begins so many changes too early. */
  | { readonly at: 'repeat'; readonly changes: number }
  | { readonly at: 'expired' }
  | { readonly at: 'unreachable' }
  | { readonly at: 'busy' };

const fate: fc.Arbitrary<Fate> = fc.oneof(
  fc.record({ at: fc.constant('cut' as const), bytes: fc.integer({ min: 0, max: 900 }) }),
  fc.record({ at: fc.constant('repeat' as const), changes: fc.integer({ min: 1, max: 4 }) }),
  fc.constantFrom<Fate>({ at: 'expired' }, { at: 'unreachable' }, { at: 'busy' }),
);
const touches = fc.array(fc.tuple(fc.constantFrom('ä', 'b', 'c', 'd', 'e', 'f'), fc.boolean()), {
  maxLength: 4,
});

describe('a table that is followed', () => {
  // Attack on the truth of the screen: a proxy that cuts, repeats or forgets, while the resources change.
  it('ends with the rows of a fresh list, whatever happens to its requests', async () => {
    await fc.assert(
      fc.asyncProperty(
        touches,
        fc.array(fc.tuple(fate, touches), { maxLength: 8 }),
        async (before, script) => {
          const server = new FakeServer();
          for (const [name, removes] of before) server.touch(name, removes);
          const shown = await play(server, script);
          expect(shown).toEqual(server.names.map((name) => [name, server.rows.get(name)?.metadata.revision]));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('lists again in place when the log does not reach back, and drops what is gone', async () => {
    const server = new FakeServer();
    for (const name of ['b', 'c']) server.touch(name, false);
    const shown = await play(server, [
      [
        { at: 'expired' },
        [
          ['b', true],
          ['d', false],
        ],
      ],
    ]);
    expect(shown).toEqual([
      ['c', 1],
      ['d', 1],
    ]);
  });
});

describe('a table in a tab that is hidden', () => {
  it('reads its list, and follows changes only while the tab is shown', async () => {
    const server = new FakeServer();
    server.touch('b', false);
    const asked: string[] = [];
    let told: (() => void) | undefined;
    const next = () =>
      new Promise<void>((resolve) => {
        told = resolve;
      });
    const feed = new TableFeed({
      now: () => 0,
      random: () => 0,
      sleep: async () => undefined,
      changed: () => told?.(),
      fetch: async (path, { signal }) => {
        const query = new URL(path, 'http://x').searchParams;
        asked.push(query.has('watch') ? 'watch' : 'list');
        if (!query.has('watch')) return Response.json(server.page('', Number(query.get('limit'))));
        return new Response(server.log.length === 1 ? endless(signal) : server.lines(1));
      },
    });
    feed.receive({ type: 'visible', visible: false });
    feed.receive({ type: 'open', path: '/pages', columns: [] });
    while (feed.state.connection.at === 'loading') await next();
    expect(feed.state.connection).toEqual({ at: 'not-live', why: 'hidden' });
    expect(asked).toEqual(['list']);
    feed.receive({ type: 'visible', visible: true });
    while (feed.state.connection.at !== 'live') await next();
    feed.receive({ type: 'visible', visible: false });
    server.touch('c', false);
    feed.receive({ type: 'visible', visible: true });
    while (feed.state.size < 2) await next();
    feed.close();
    expect(asked.slice(0, 3)).toEqual(['list', 'watch', 'watch']);
    expect(feed.state.rows.map(({ name }) => name)).toEqual(['b', 'c']);
  });
});

describe('a table whose list is refused for a while', () => {
  it('asks again after as long as the answer has asked for, and says since when', async () => {
    const slept: number[] = [];
    const cuts: unknown[] = [];
    let now = 100;
    const answers = [
      new Response('', { status: 503, headers: { 'Retry-After': '7' } }),
      new Response('', { status: 429, headers: { 'Retry-After': '20' } }),
      new Response('', { status: 502 }),
    ];
    let done = (): void => undefined;
    const isDone = new Promise<void>((resolve) => {
      done = resolve;
    });
    const feed = new TableFeed({
      now: () => now,
      random: () => 0,
      sleep: async (ms) => {
        slept.push(ms);
        cuts.push(feed.state.connection);
        now += ms;
      },
      changed: () => undefined,
      fetch: async () => {
        const answer = answers.shift();
        if (answer !== undefined) return answer;
        done();
        return problem(403);
      },
    });
    feed.receive({ type: 'open', path: '/pages', columns: [] });
    await isDone;
    feed.close();
    expect(slept).toEqual([8_000, 22_000, 4_000]);
    expect(cuts).toEqual(slept.map((retryMs) => ({ at: 'cut', since: 100, retryMs })));
  });
});

describe('a table whose session ends', () => {
  it('keeps its rows, and reads all of them again after a login', async () => {
    const server = new FakeServer();
    for (const name of ['b', 'c']) server.touch(name, false);
    let isLoggedIn = true;
    let told: (() => void) | undefined;
    const next = () =>
      new Promise<void>((resolve) => {
        told = resolve;
      });
    const feed = new TableFeed({
      now: () => 0,
      random: () => 0,
      sleep: async () => undefined,
      changed: () => told?.(),
      fetch: async (path, { signal }) => {
        const query = new URL(path, 'http://x').searchParams;
        if (!query.has('watch')) return Response.json(server.page('', Number(query.get('limit'))));
        return isLoggedIn ? new Response(endless(signal)) : problem(401);
      },
    });
    feed.receive({ type: 'open', path: '/pages', columns: [] });
    while (feed.state.connection.at !== 'live') await next();
    isLoggedIn = false;
    feed.receive({ type: 'visible', visible: false });
    feed.receive({ type: 'visible', visible: true });
    while (!isSignedOut(feed.state)) await next();
    expect(feed.state.refusal).toBeNull();
    expect(feed.state.rows.map(({ name }) => name)).toEqual(['b', 'c']);
    server.touch('b', true);
    server.touch('d', false);
    isLoggedIn = true;
    feed.receive({ type: 'resume' });
    while (feed.state.connection.at !== 'live') await next();
    expect(feed.state.rows.map(({ name }) => name)).toEqual(['c', 'd']);
    feed.close();
  });
});

/** Follows the server through the script, and then until nothing is left to tell. */
async function play(
  server: FakeServer,
  script: readonly (readonly [Fate, readonly (readonly [string, boolean])[]])[],
): Promise<readonly (readonly [string, number])[]> {
  const rest = [...script];
  let isCaughtUp: (() => void) | undefined;
  const caughtUp = new Promise<void>((resolve) => {
    isCaughtUp = resolve;
  });
  const feed = new TableFeed({
    now: () => 0,
    random: () => 0,
    sleep: async () => undefined,
    changed: () => undefined,
    fetch: async (path, { signal }) => {
      const query = new URL(path, 'http://x').searchParams;
      const step = rest.shift();
      for (const [name, removes] of step?.[1] ?? []) server.touch(name, removes);
      if (query.has('watch')) return watch(Number(query.get('cursor')), step?.[0], signal);
      if (step?.[0].at === 'unreachable') throw new TypeError('no network');
      if (step?.[0].at === 'busy') return problem(503);
      // Pages of two, so that the list changes between them.
      return Response.json(server.page(query.get('continue') ?? '', Math.min(2, Number(query.get('limit')))));
    },
  });
  const watch = (cursor: number, how: Fate | undefined, signal: RequestInit['signal']): Response => {
    switch (how?.at) {
      case 'cut':
        return new Response(new TextEncoder().encode(server.lines(cursor)).slice(0, how.bytes));
      case 'repeat':
        return new Response(server.lines(Math.max(0, cursor - how.changes)));
      case 'expired':
        return problem(410);
      case 'busy':
        return problem(429);
      case 'unreachable':
        throw new TypeError('no network');
      default: {
        const isLast = cursor === server.log.length && rest.length === 0;
        if (isLast) isCaughtUp?.();
        return new Response(isLast ? endless(signal) : server.lines(cursor));
      }
    }
  };
  feed.receive({ type: 'open', path: '/pages', columns: [] });
  await caughtUp;
  const { rows } = feed.state;
  feed.close();
  return rows.map(({ name, revision }) => [name, revision] as const);
}

/** A stream without changes, until its reader lets go. */
function endless(signal: RequestInit['signal']): ReadableStream {
  return new ReadableStream({
    start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
  });
}

function problem(status: number): Response {
  return Response.json({ type: 'about:blank', title: 'No', status, code: 'no' }, { status });
}
