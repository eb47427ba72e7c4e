import { FakeTimers } from '@platform/development/testing';
import { createClient } from '../client.ts';
import { PlatformError } from '../http/platform-error.ts';
import type { Resource } from '../model/resource.ts';
import { fakeEvents } from './fake-events.ts';
import type { ReconcileOptions } from './options.ts';
import { reconcile } from './reconcile.ts';

const id = 'ctrl.example.dev';
const kind = { group: 'example.dev', version: 'v1', plural: 'widgets' };
const parts = { group: 'example.dev', version: 'v1', plural: 'parts' };
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function widget(name: string, changes: Partial<Resource['metadata']> = {}): Resource {
  const metadata = { name, uid: `u-${name}`, revision: 1, generation: 1, discriminator: 'd0000000' };
  return {
    apiVersion: 'example.dev/v1',
    kind: 'Widget',
    metadata: {
      ...metadata,
      ancestors: [],
      annotations: {},
      labels: {},
      creationTimestamp: '',
      finalizers: [],
      ownerReferences: [],
      ...changes,
    },
    spec: {},
    status: { controllers: {} },
  };
}

/** A controller that watches fake events, with the calls of its handlers and its requests. */
function run(options: Partial<ReconcileOptions> = {}, initial: readonly Resource[] = []) {
  const timers = new FakeTimers();
  const events = fakeEvents(initial);
  const requests: string[] = [];
  const seen: string[] = [];
  const errors: string[] = [];
  const states: string[] = [];
  const runs: object[] = [];
  const stopping = new AbortController();
  const fetched = async (url: string | URL | Request, init: RequestInit = {}) => {
    requests.push(`${init.method} ${new URL(String(url)).pathname}`);
    return new Response(JSON.stringify(widget('one', { revision: 2 })));
  };
  const reader = createClient({ baseUrl: 'http://platform.test', timers, fetch: fetched as typeof fetch });
  const ended = reconcile({
    reader,
    controller: id,
    kind,
    async reconcile({ metadata }) {
      seen.push(metadata.name);
      return undefined;
    },
    onError: (error) => errors.push((error as Error).message),
    metrics: { stream: (state) => states.push(state), reconciled: (one) => runs.push(one) },
    signal: stopping.signal,
    timers,
    events: events.source,
    ...options,
  });
  stops.push(async () => {
    stopping.abort();
    await ended;
  });
  return { timers, events, requests, seen, errors, states, runs };
}

describe('a controller that watches', () => {
  it('reconciles what there is and what changes, and makes no request for it', async () => {
    const { timers, events, requests, seen, runs } = run({}, [widget('one')]);
    await timers.advance(0);
    events.put(widget('two'));
    events.put(widget('one', { revision: 2, generation: 2 }));
    await timers.advance(100_000);
    expect([seen, requests]).toEqual([['one', 'two', 'one'], []]);
    expect(runs[0]).toMatchObject({ outcome: 'succeeded', waitedMs: 0, depth: { ready: 0 } });
  });

  it('makes no request while nothing changes, not even to reconcile everything again', async () => {
    const { timers, requests, seen } = run({ resyncMs: 60_000 }, [widget('one'), widget('two')]);
    await timers.advance(3_600_000);
    expect(seen.length).toBeGreaterThan(50);
    expect(requests).toEqual([]);
  });

  it('opens no stream after the other without pause when each ends after its first event', async () => {
    let opened = 0;
    const { timers } = run({
      async *events(_, signal) {
        opened += 1;
        // A controller without pause would never come to an end.
        if (opened === 1_000) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield { type: 'BOOKMARK', cursor: 'c', initial: true } as const;
      },
    });
    await timers.advance(10_000);
    expect(opened).toBeGreaterThan(50);
    expect(opened).toBeLessThan(150);
  });

  it('tells how many resources wait, also while all of its work hangs', async () => {
    const depths: object[] = [];
    const { timers, events } = run({
      concurrency: 1,
      reconcile: (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
      metrics: { queue: (depth) => depths.push(depth) },
    });
    await timers.advance(0);
    for (const name of ['one', 'two', 'three']) events.put(widget(name));
    await timers.advance(0);
    expect(depths.at(-1)).toEqual({ ready: 2, processing: 1, delayed: 0 });
  });

  it('tells the failures in a row, and those that wait to be tried again', async () => {
    const depths: object[] = [];
    const runs: { readonly outcome: string; readonly failures: number }[] = [];
    let left = 2;
    const { timers } = run(
      {
        async reconcile() {
          left -= 1;
          if (left >= 0) throw new Error('not yet');
        },
        metrics: { queue: (depth) => depths.push(depth), reconciled: (one) => runs.push(one) },
      },
      [widget('one')],
    );
    await timers.advance(0);
    expect(depths.at(-1)).toEqual({ ready: 0, processing: 0, delayed: 1 });
    await timers.advance(10_000);
    expect(runs.map(({ outcome, failures }) => [outcome, failures])).toEqual([
      ['failed', 1],
      ['failed', 2],
      ['succeeded', 0],
    ]);
    expect(depths.at(-1)).toEqual({ ready: 0, processing: 0, delayed: 0 });
  });

  it('retries all that fails at one rate, and tells what a retry waits for', async () => {
    const retries: object[] = [];
    let calls = 0;
    const { timers } = run(
      {
        rateLimit: { perSecond: 1, burst: 1 },
        async reconcile() {
          calls += 1;
          if (calls <= 3) throw new Error('not yet');
        },
        metrics: { retried: (retry) => retries.push(retry) },
      },
      [widget('one'), widget('two'), widget('three')],
    );
    await timers.advance(0);
    expect(retries).toEqual([
      { delayMs: 375, limitedBy: 'failures' },
      { delayMs: 1_000, limitedBy: 'rate' },
      { delayMs: 2_000, limitedBy: 'rate' },
    ]);
    await timers.advance(1_999);
    expect(calls).toBe(5);
    await timers.advance(1);
    expect(calls).toBe(6);
  });

  it('is not called for its own status writes', async () => {
    const { timers, events, requests, seen } = run(
      {
        async reconcile({ metadata }) {
          seen.push(metadata.name);
          return { status: 'done' };
        },
      },
      [widget('one')],
    );
    await timers.advance(0);
    events.put({ ...widget('one', { revision: 2 }), status: { controllers: { [id]: 'done' } } });
    await timers.advance(10_000);
    expect([seen, requests]).toEqual([
      ['one'],
      ['PUT /api/v1/resources/example.dev/v1/widgets/uid:u-one/status'],
    ]);
  });

  it('goes on after an interruption with what it has missed, and with nothing else', async () => {
    const { timers, events, seen, errors, states } = run({}, [widget('one')]);
    await timers.advance(0);
    events.interrupt(new PlatformError({ status: 0, code: 'unreachable', detail: 'gone' }));
    await timers.advance(0);
    events.put(widget('two'));
    await timers.advance(10_000);
    expect(seen).toEqual(['one', 'two']);
    expect([errors, states]).toEqual([['unreachable: gone'], ['connected', 'interrupted', 'connected']]);
  });

  it('begins again when its cursor has expired, and forgets what is gone', async () => {
    const { timers, events, seen } = run({ resyncMs: 50_000 }, [widget('one'), widget('two')]);
    await timers.advance(0);
    events.interrupt(new PlatformError({ status: 410, code: 'cursor_expired', detail: 'too old' }));
    await timers.advance(0);
    events.remove('u-one');
    await timers.advance(10_000);
    expect(seen).toEqual(['one', 'two']);
    await timers.advance(60_000);
    expect(seen).toEqual(['one', 'two', 'two']);
  });

  it('takes what a restored platform shows when it begins again, although it knew a later state', async () => {
    const finalizer = `${id}/cleanup`;
    const generations: number[] = [];
    const { timers, events, requests } = run(
      {
        finalizer,
        finalize: async () => undefined,
        async reconcile({ metadata }) {
          generations.push(metadata.generation);
          return undefined;
        },
      },
      [widget('one', { revision: 5, generation: 2, finalizers: [finalizer] })],
    );
    await timers.advance(0);
    events.interrupt(new PlatformError({ status: 410, code: 'cursor_expired', detail: 'restored' }));
    events.put(widget('one', { revision: 1 }));
    await timers.advance(10_000);
    expect(generations).toEqual([2, 1]);
    // Otherwise the resource would be removed without `finalize`.
    expect(requests).toEqual(['PUT /api/v1/resources/example.dev/v1/widgets/uid:u-one/finalizers']);
    events.put(widget('one', { revision: 3, generation: 2, finalizers: [finalizer] }));
    await timers.advance(10_000);
    expect(generations).toEqual([2, 1, 2]);
  });

  it('reconciles a change that has the generation of one that a failover has lost, and nothing else', async () => {
    const lost = widget('one', { revision: 5, generation: 2 });
    const { timers, events, seen } = run({}, [lost, widget('two', { revision: 5, generation: 2 })]);
    await timers.advance(0);
    events.interrupt(new PlatformError({ status: 410, code: 'cursor_expired', detail: 'failed over' }));
    events.put({ ...lost, spec: { size: 2 } });
    await timers.advance(10_000);
    expect(seen).toEqual(['one', 'two', 'one']);
  });

  it('reconciles the owners again when a removal of what they own may have been missed', async () => {
    const owned = fakeEvents([widget('screw', { ancestors: ['one'] })]);
    const { timers, seen } = run({ owns: [{ kind: parts, events: owned.source }] }, [widget('one')]);
    await timers.advance(0);
    seen.length = 0;
    owned.interrupt(new PlatformError({ status: 410, code: 'cursor_expired', detail: 'too old' }));
    owned.remove('u-screw');
    await timers.advance(10_000);
    expect(seen).toEqual(['one']);
  });

  it('forgets what was removed before the platform had answered that its finalizer is gone', async () => {
    const finalizer = `${id}/cleanup`;
    const one = widget('one', { finalizers: [finalizer], deletionTimestamp: '2026-01-01T00:00:00.000Z' });
    const timers = new FakeTimers();
    const answered = async () => {
      events.remove('u-one');
      await new Promise<void>((resolve) => timers.after(1_000, resolve));
      return new Response(JSON.stringify({ ...one, metadata: { ...one.metadata, finalizers: [] } }));
    };
    const reader = createClient({ baseUrl: 'http://platform.test', timers, fetch: answered });
    const { events, runs, errors } = run({ reader, timers, finalizer, resyncMs: 60_000 }, [one]);
    await timers.advance(600_000);
    expect([runs.length, errors]).toEqual([1, []]);
  });

  it('keeps a change that it is told before the platform has answered that its finalizer is there', async () => {
    const finalizer = `${id}/cleanup`;
    const timers = new FakeTimers();
    const answered = async () => {
      events.put(widget('one', { revision: 3, generation: 2, finalizers: [finalizer] }));
      await new Promise<void>((resolve) => timers.after(1_000, resolve));
      return new Response(JSON.stringify(widget('one', { revision: 2, finalizers: [finalizer] })));
    };
    const reader = createClient({ baseUrl: 'http://platform.test', timers, fetch: answered });
    const generations: number[] = [];
    const handler = async ({ metadata }: Resource) => void generations.push(metadata.generation);
    const { events } = run({ reader, timers, finalizer, reconcile: handler }, [widget('one')]);
    await timers.advance(10_000);
    expect(generations).toEqual([1, 2]);
  });

  it('waits longer after each failure in a row', async () => {
    let opened = 0;
    const { timers, errors } = run({
      // biome-ignore lint/correctness/useYield: it fails first
      async *events() {
        opened += 1;
        throw new PlatformError({ status: 503, code: 'unavailable', detail: 'no database' });
      },
    });
    await timers.advance(300_000);
    expect(opened).toBeGreaterThan(5);
    expect(opened).toBeLessThan(20);
    expect(errors).toHaveLength(opened);
  });

  it('gives each handler a resource of its own to change', async () => {
    const { timers, events, seen } = run(
      {
        async reconcile(resource) {
          seen.push(`${resource.metadata.name} ${JSON.stringify(resource.spec)}`);
          (resource.spec as Record<string, unknown>)['changed'] = true;
          return undefined;
        },
      },
      [widget('one')],
    );
    await timers.advance(0);
    events.put(widget('one', { revision: 2, generation: 2 }));
    await timers.advance(0);
    expect(seen).toEqual(['one {}', 'one {}']);
  });

  it('reconciles the owner when something that it owns changes', async () => {
    const owned = fakeEvents();
    const { timers, seen } = run({ owns: [{ kind: parts, events: owned.source }] }, [
      widget('one'),
      widget('two', { ancestors: ['shop'] }),
      widget('three'),
    ]);
    await timers.advance(0);
    seen.length = 0;
    const reference = { apiVersion: 'example.dev/v1', kind: 'Widget', name: 'one', uid: 'u-one' };
    owned.put(widget('part', { ownerReferences: [reference, { ...reference, uid: 'u-unknown' }] }));
    await timers.advance(0);
    owned.put(widget('screw', { ancestors: ['shop', 'two'] }));
    await timers.advance(0);
    owned.remove('u-screw');
    await timers.advance(0);
    expect(seen).toEqual(['one', 'two', 'two']);
  });
});
