import { testDatabase } from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import { certificateFor } from '../../../packages/outbound-http/test/network.ts';
import { DeliveryWorld } from './delivery-world.ts';

const hourMs = 3_600_000;

describe('the delivery of subscriptions', () => {
  const database = testDatabase({ migrate: (url) => migrate({ url }) });
  let tls: Awaited<ReturnType<typeof certificateFor>>;
  let world: DeliveryWorld;

  beforeAll(async () => {
    tls = await certificateFor('hooks.example.test');
  });

  beforeEach(async () => {
    await database.sql`delete from resources`;
    await database.sql`update leases set holder = null, expires_at = '-infinity' where name = 'collector'`;
    world = new DeliveryWorld(database.url);
    await world.open(tls);
  });

  afterEach(() => world.close());

  it('sends every change after the creation, signed, as a CloudEvent', async () => {
    await world.create('Widget', 'before');
    const subscription = await world.subscribe('all');
    const widget = await world.create('Widget', 'w1', { size: 1.5 });
    await world.deliver(world.process());
    expect(world.seen('all')).toEqual(['w1@1']);
    const [got] = world.received;
    expect(got?.headers).toMatchObject({
      'content-type': 'application/cloudevents+json',
      'webhook-id': `${widget.uid}-1`,
      'webhook-timestamp': '1767225600',
      'user-agent': expect.stringMatching(/^platform\//),
    });
    expect(got?.event).toMatchObject({
      specversion: '1.0',
      id: `${widget.uid}-1`,
      source: 'https://platform.example.test/api/v1/resources',
      type: 'dev.platform.resource.create',
      subject: widget.uid,
      datacontenttype: 'application/json',
      partitionkey: widget.uid,
      sequence: '1',
      data: {
        operation: 'create',
        removed: false,
        actor: { type: 'system', id: 'test' },
        requestId: null,
        object: { kind: 'Widget', metadata: { name: 'w1', revision: 1 }, spec: { size: 1.5 } },
      },
    });
    // Without trouble the subscription is not written, so its author can still change the revision that they read.
    expect((await world.read(subscription.uid, 'Subscription')).revision).toBe(1);
  });

  it('sends what the selector names, and the end of what it named', async () => {
    const farm = await world.create('Farm', 'acme');
    const reference = { apiVersion: 'example.dev/v1', kind: 'Farm', name: 'acme', uid: farm.uid };
    await world.subscribe('kinds', { selector: { kinds: ['Widget.example.dev', { kind: 'Gadget' }] } });
    await world.subscribe('labels', { selector: { labelSelector: 'tier in (a,b)' } });
    await world.subscribe('scope', { selector: { scope: reference } });
    await world.create('Gadget', 'g1');
    await world.create('Gizmo', 'z1', {}, { labels: { tier: 'b' } });
    await world.create('Widget', 'w1', {}, { labels: { tier: 'c' } });
    await world.change(farm, () => ({ size: 2 }));
    await world.deliver(world.process());
    expect([world.seen('kinds'), world.seen('labels'), world.seen('scope')]).toEqual([
      ['g1@1', 'w1@1'],
      ['z1@1'],
      ['acme@2'],
    ]);
  });

  it('never sends the values of a Secret, or the secret of a subscription', async () => {
    await world.subscribe('all');
    await world.create('Secret', 's1', { type: 'Opaque', data: { password: 'v1.k1.sealed' } });
    await world.subscribe('other', { suspend: true });
    await world.deliver(world.process());
    expect(world.seen('all')).toEqual(['s1@1', 'other@1']);
    expect(world.received[0]?.event.data.object.spec).toEqual({ type: 'Opaque' });
    expect(JSON.stringify(world.received)).not.toMatch(/"secret"|v1\.k1/);
  });

  it('sends the changes of one resource in order, and those of others at the same time', async () => {
    await world.subscribe('all');
    const [a, b] = [await world.create('Widget', 'a'), await world.create('Widget', 'b')];
    for (let size = 0; size < 5; size += 1) {
      await world.change(a, () => ({ size }));
      await world.change(b, () => ({ size }));
    }
    let release = () => {};
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    const arrived = new Set<string>();
    world.answer = async ({ event }) => {
      arrived.add(event.subject);
      if (arrived.size === 2) release();
      // The first event of each resource is answered when that of the other one is there.
      await both;
      return { status: 200 };
    };
    await world.deliver(world.process());
    const seen = world.seen('all');
    expect(seen.filter((each) => each.startsWith('a'))).toEqual([1, 2, 3, 4, 5, 6].map((n) => `a@${n}`));
    expect(seen.filter((each) => each.startsWith('b'))).toEqual([1, 2, 3, 4, 5, 6].map((n) => `b@${n}`));
  });

  it('tries again with back-off, in order, and tells what the receiver answered', async () => {
    const subscription = await world.subscribe('all');
    const widget = await world.create('Widget', 'w1');
    await world.change(widget, () => ({ size: 2 }));
    world.answer = () => ({ status: 500 });
    const process = world.process();
    await world.deliver(process);
    expect(world.seen('all')).toEqual(['w1@1']);
    world.clock.advance(4_999);
    for (let turn = 0; turn < 20; turn += 1) {
      await world.deliver(process);
      world.clock.advance(5_000);
    }
    expect(await world.condition(subscription)).toMatchObject({
      status: 'False',
      reason: 'Retrying',
      message: 'delivery fails and is retried: the receiver answered 500',
    });
    // 5, 10, 20, 40 seconds and so on.
    expect(world.received.length).toBeLessThan(8);
    const told = await world.condition(subscription);
    world.answer = () => ({ status: 404 });
    world.clock.advance(hourMs);
    await world.deliver(process);
    // Another reason is told, and it is the same trouble.
    expect(await world.condition(subscription)).toEqual({
      ...told,
      message: 'delivery fails and is retried: the receiver answered 404',
    });
    world.answer = () => ({ status: 200 });
    world.clock.advance(hourMs);
    await world.deliver(process);
    expect(world.seen('all').slice(-2)).toEqual(['w1@1', 'w1@2']);
    expect(new Set(world.received.map(({ event }) => event.id)).size).toBe(2);
    expect(await world.condition(subscription)).toMatchObject({ status: 'True', reason: 'Active' });
  });

  it('pauses after 24 hours of failures, across leaders, and goes on after a change of the spec', async () => {
    const subscription = await world.subscribe('all');
    await world.create('Widget', 'w1');
    world.answer = () => ({ status: 503 });
    const started = world.clock.now();
    while (world.clock.now() - started < 25 * hourMs) {
      // Each process starts from what the one before has stored.
      await world.deliver(world.process());
      world.clock.advance(hourMs / 2);
    }
    const attempts = world.received.length;
    expect(await world.condition(subscription)).toMatchObject({
      reason: 'DeliveryFailed',
      message: 'delivery failed for 24 hours, at last: the receiver answered 503; change the spec to go on',
    });
    const text = await world.metrics.render();
    expect(text).toContain('platform_collector_subscription_pauses_total{reason="DeliveryFailed"} 1');
    world.clock.advance(100 * hourMs);
    await world.deliver(world.process());
    expect(world.received).toHaveLength(attempts);
    await world.create('Widget', 'w2');
    world.answer = () => ({ status: 200 });
    await world.change(subscription, (spec) => ({ ...spec, suspend: false }));
    await world.deliver(world.process());
    const seen = world.seen('all').slice(attempts);
    expect(seen.filter((each) => each.startsWith('w'))).toEqual(['w1@1', 'w2@1']);
    expect(await world.condition(subscription)).toMatchObject({ status: 'True', reason: 'Active' });
  });

  it('pauses at once when the receiver answers 410, and waits as long as Retry-After says', async () => {
    const [gone, later] = [await world.subscribe('gone'), await world.subscribe('later')];
    await world.create('Widget', 'w1');
    world.answer = ({ path }) =>
      path === '/gone' ? { status: 410 } : { status: 429, headers: { 'Retry-After': '600' } };
    const process = world.process();
    await world.deliver(process);
    const widgets = (path: string) => world.seen(path).filter((each) => each === 'w1@1').length;
    expect(await world.condition(gone)).toMatchObject({ reason: 'Gone' });
    world.clock.advance(599_000);
    await world.deliver(process);
    expect([widgets('gone'), widgets('later')]).toEqual([1, 1]);
    world.clock.advance(2_000);
    await world.deliver(process);
    expect([widgets('gone'), widgets('later')]).toEqual([1, 2]);
    expect(await world.condition(later)).toMatchObject({ reason: 'Retrying' });
  });

  it('follows no redirect, and refuses private addresses', async () => {
    const subscription = await world.subscribe('all');
    await world.create('Widget', 'w1');
    world.answer = () => ({ status: 307, headers: { Location: '/elsewhere' } });
    await world.deliver(world.process());
    expect(world.received.map(({ path }) => path)).toEqual(['/all']);
    const resolver = { resolve: async () => ['127.0.0.1'] };
    world.clock.advance(hourMs);
    await world.deliver(world.process({ outbound: { resolver } }));
    expect(world.received).toHaveLength(1);
    expect(await world.condition(subscription)).toMatchObject({
      message: expect.stringContaining('is not an address of the public internet'),
    });
  });

  // Attack: somebody who may read the subscription learns its secrets from the reason why a delivery fails.
  it.each([
    ['a receiver that repeats them', {}],
    ['no receiver', { resolver: { resolve: async () => [] } }],
    ['a private address', { resolver: { resolve: async () => ['127.0.0.1'] } }],
  ])('tells no secret of the address or the signature in the status and the log: %s', async (_, outbound) => {
    const subscription = await world.subscribe('all', { url: 'https://hooks.example.test/all?key=hidden' });
    await world.create('Widget', 'w1');
    world.answer = ({ headers }) => ({
      status: 500,
      headers: { 'X-Signature': String(headers['webhook-signature']), 'X-Key': 'hidden' },
    });
    const process = world.process({ outbound });
    for (let turn = 0; turn < 20; turn += 1) {
      await world.deliver(process);
      world.clock.advance(5_000);
    }
    expect(await world.condition(subscription)).toMatchObject({ reason: 'Retrying' });
    const { status } = await world.read(subscription.uid, 'Subscription');
    expect(`${status}${JSON.stringify(world.logger.lines)}`).not.toMatch(/hidden|v1,/);
  });

  it('lets a slow receiver hold up nobody else', async () => {
    await world.subscribe('slow');
    await world.subscribe('fast');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    world.answer = async ({ path }) => {
      if (path === '/slow') await held;
      return { status: 200 };
    };
    const process = world.process();
    await world.create('Widget', 'w0');
    for (let n = 1; n <= 3; n += 1) {
      await world.create('Widget', `w${n}`);
      await world.store.ticks.tick();
      await process.step();
      while (world.seen('fast').at(-1) !== `w${n}@1`) {
        await process.step();
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    release();
    await process.settle();
    expect(world.seen('slow').filter((each) => each.startsWith('w')).length).toBeGreaterThan(0);
  });

  it('ends a turn after ten seconds, also within a page, and goes on in the next one', async () => {
    await world.subscribe('all');
    const widget = await world.create('Widget', 'w');
    for (let size = 0; size < 9; size += 1) await world.change(widget, () => ({ size }));
    await world.store.ticks.tick();
    world.answer = () => {
      world.clock.advance(4_000);
      return { status: 200 };
    };
    const process = world.process();
    const turn = async () => {
      await process.step();
      await process.settle();
    };
    await turn();
    expect(world.seen('all')).toEqual(['w@1', 'w@2', 'w@3']);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(world.seen('all')).toEqual(Array.from({ length: 10 }, (_, index) => `w@${index + 1}`));
  });

  it.each([
    ['is deleted', (uid: string) => database.sql`delete from resources where uid = ${uid}`],
    [
      'is marked for deletion',
      (uid: string) => database.sql`update resources set deletion_timestamp = now() where uid = ${uid}`,
    ],
  ])('sends nothing more of a page when the subscription %s', async (_, remove) => {
    const { uid } = await world.subscribe('all');
    const widget = await world.create('Widget', 'w');
    await world.change(widget, () => ({ size: 2 }));
    await world.store.ticks.tick();
    const process = world.process();
    world.answer = async () => {
      await remove(uid);
      await process.step();
      return { status: 200 };
    };
    await process.step();
    await process.settle();
    expect(world.seen('all')).toEqual(['w@1']);
  });

  it('stops within a page when the subscription is suspended, and goes on from there', async () => {
    const subscription = await world.subscribe('all', { selector: { kinds: ['Widget'] } });
    const widget = await world.create('Widget', 'w');
    await world.change(widget, () => ({ size: 2 }));
    await world.change(widget, () => ({ size: 3 }));
    await world.store.ticks.tick();
    const process = world.process();
    world.answer = async (_, number) => {
      if (number === 0) {
        await world.change(subscription, (spec) => ({ ...spec, suspend: true }));
        await process.step();
      }
      return { status: 200 };
    };
    await world.deliver(process);
    expect(world.seen('all')).toEqual(['w@1']);
    expect(await world.condition(subscription)).toMatchObject({ reason: 'Suspended' });
    await world.change(subscription, (spec) => ({ ...spec, suspend: false }));
    await world.deliver(process);
    expect(world.seen('all')).toEqual(['w@1', 'w@2', 'w@3']);
  });

  it('sends again what was taken when the process dies before that is stored', async () => {
    await world.subscribe('all');
    await world.create('Widget', 'w1');
    const dying = world.process({
      store: {
        database: {
          ...world.store.database,
          rows: async (text: string, parameters: never) => {
            if (/insert into subscription_deliveries/.test(text) && world.received.length > 0) {
              throw new Error('killed');
            }
            return await world.store.database.rows(text, parameters);
          },
        } as never,
      },
    });
    await world.deliver(dying);
    expect(world.seen('all')[0]).toBe('w1@1');
    const before = world.received.length;
    await world.deliver(world.process());
    expect(world.seen('all').slice(before)).toEqual(['w1@1']);
    await world.deliver(world.process());
    expect(world.received).toHaveLength(before + 1);
  });

  it('stops at once when another process leads, and the other goes on without a gap', async () => {
    await world.subscribe('all');
    const widget = await world.create('Widget', 'w');
    const fence = await world.lead('first');
    const old = world.process({ fence: () => fence });
    await world.deliver(old);
    await world.store.collectorLease.release(fence);
    await world.lead('second');
    await world.change(widget, () => ({ size: 2 }));
    const next = world.process();
    await Promise.all([world.deliver(old), world.deliver(next)]);
    await world.change(widget, () => ({ size: 3 }));
    await world.deliver(next);
    // The old process may send a change once more; it stores nothing, and the order stays.
    const revisions = world.seen('all').map((each) => Number(each.split('@')[1]));
    expect([...revisions].sort()).toEqual(revisions);
    expect(new Set(revisions)).toEqual(new Set([1, 2, 3]));
  });
});
