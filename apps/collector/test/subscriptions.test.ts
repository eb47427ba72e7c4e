import { testDatabase, until, waitingForLocks, whileHeld } from '@platform/development/testing';
import type { Fence } from '@platform/garbage-collector';
import { StorageUnavailable } from '@platform/kernel';
import { migrate } from '@platform/store-postgres';
import { certificateFor } from '../../../packages/outbound-http/test/network.ts';
import { DeliveryFixture } from './delivery-fixture.ts';

const hourMs = 3_600_000;

describe('the delivery of subscriptions', () => {
  const database = testDatabase({ migrate: (url) => migrate({ url }) });
  let tls: Awaited<ReturnType<typeof certificateFor>>;
  let fixture: DeliveryFixture;

  beforeAll(async () => {
    tls = await certificateFor('hooks.example.test');
  });

  beforeEach(async () => {
    await database.sql`delete from resources`;
    await database.sql`update leases set holder = null, expires_at = '-infinity' where name = 'collector'`;
    fixture = new DeliveryFixture(database.url);
    await fixture.open(tls);
  });

  afterEach(() => fixture.close());

  it('sends every change after the creation, signed, as a CloudEvent', async () => {
    await fixture.create('Widget', 'before');
    const subscription = await fixture.subscribe('all');
    const widget = await fixture.create('Widget', 'w1', { size: 1.5 });
    await fixture.deliver(fixture.process());
    expect(fixture.seen('all')).toEqual(['w1@1']);
    const [got] = fixture.received;
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
      sequence: '0000000000000001',
      data: {
        operation: 'create',
        removed: false,
        actor: { type: 'system', id: 'test' },
        requestId: null,
        object: { kind: 'Widget', metadata: { name: 'w1', revision: 1 }, spec: { size: 1.5 } },
      },
    });
    // Without trouble the subscription is not written, so its author can still change the revision that they read.
    expect((await fixture.read(subscription.uid, 'Subscription')).revision).toBe(1);
  });

  it('sends what the selector names, and the end of what it named', async () => {
    const farm = await fixture.create('Farm', 'acme');
    const reference = { apiVersion: 'example.dev/v1', kind: 'Farm', name: 'acme', uid: farm.uid };
    await fixture.subscribe('kinds', { selector: { kinds: ['Widget.example.dev', { kind: 'Gadget' }] } });
    await fixture.subscribe('labels', { selector: { labelSelector: 'tier in (a,b)' } });
    await fixture.subscribe('scope', { selector: { scope: reference } });
    await fixture.create('Gadget', 'g1');
    await fixture.create('Gizmo', 'z1', {}, { labels: { tier: 'b' } });
    await fixture.create('Widget', 'w1', {}, { labels: { tier: 'c' } });
    await fixture.change(farm, () => ({ size: 2 }));
    await fixture.deliver(fixture.process());
    expect([fixture.seen('kinds'), fixture.seen('labels'), fixture.seen('scope')]).toEqual([
      ['g1@1', 'w1@1'],
      ['z1@1'],
      ['acme@2'],
    ]);
  });

  it('never sends the values of a Secret, or the secret of a subscription', async () => {
    await fixture.subscribe('all');
    await fixture.create('Secret', 's1', { type: 'Opaque', data: { password: 'v1.k1.sealed' } });
    await fixture.subscribe('other', { suspend: true });
    await fixture.deliver(fixture.process());
    expect(fixture.seen('all')).toEqual(['s1@1', 'other@1']);
    expect(fixture.received[0]?.event.data.object.spec).toEqual({ type: 'Opaque' });
    expect(JSON.stringify(fixture.received)).not.toMatch(/"secret"|v1\.k1/);
  });

  it('sends the changes of one resource in order, and those of others at the same time', async () => {
    await fixture.subscribe('all');
    const [a, b] = [await fixture.create('Widget', 'a'), await fixture.create('Widget', 'b')];
    for (let size = 0; size < 5; size += 1) {
      await fixture.change(a, () => ({ size }));
      await fixture.change(b, () => ({ size }));
    }
    let release = () => {};
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    const arrived = new Set<string>();
    fixture.answer = async ({ event }) => {
      arrived.add(event.subject);
      if (arrived.size === 2) release();
      // The first event of each resource is answered when that of the other one is there.
      await both;
      return { status: 200 };
    };
    await fixture.deliver(fixture.process());
    const seen = fixture.seen('all');
    expect(seen.filter((each) => each.startsWith('a'))).toEqual([1, 2, 3, 4, 5, 6].map((n) => `a@${n}`));
    expect(seen.filter((each) => each.startsWith('b'))).toEqual([1, 2, 3, 4, 5, 6].map((n) => `b@${n}`));
  });

  it('tries again with back-off, in order, and tells what the receiver answered', async () => {
    const subscription = await fixture.subscribe('all');
    const widget = await fixture.create('Widget', 'w1');
    await fixture.change(widget, () => ({ size: 2 }));
    fixture.answer = () => ({ status: 500 });
    const process = fixture.process();
    await fixture.deliver(process);
    expect(fixture.seen('all')).toEqual(['w1@1']);
    fixture.clock.advance(4_999);
    for (let turn = 0; turn < 20; turn += 1) {
      await fixture.deliver(process);
      fixture.clock.advance(5_000);
    }
    expect(await fixture.condition(subscription)).toMatchObject({
      status: 'False',
      reason: 'Retrying',
      message: 'delivery fails and is retried: the receiver answered 500',
    });
    // 5, 10, 20, 40 seconds and so on.
    expect(fixture.received.length).toBeLessThan(8);
    const told = await fixture.condition(subscription);
    fixture.answer = () => ({ status: 404 });
    fixture.clock.advance(hourMs);
    await fixture.deliver(process);
    // Another reason is told, and it is the same trouble.
    expect(await fixture.condition(subscription)).toEqual({
      ...told,
      message: 'delivery fails and is retried: the receiver answered 404',
    });
    fixture.answer = () => ({ status: 200 });
    fixture.clock.advance(hourMs);
    await fixture.deliver(process);
    expect(fixture.seen('all').slice(-2)).toEqual(['w1@1', 'w1@2']);
    expect(new Set(fixture.received.map(({ event }) => event.id)).size).toBe(2);
    expect(await fixture.condition(subscription)).toMatchObject({ status: 'True', reason: 'Active' });
  });

  it('pauses after 24 hours of failures, across leaders, and goes on after a change of the spec', async () => {
    const subscription = await fixture.subscribe('all');
    await fixture.create('Widget', 'w1');
    fixture.answer = () => ({ status: 503 });
    const started = fixture.clock.now();
    while (fixture.clock.now() - started < 25 * hourMs) {
      // Each process starts from what the one before has stored.
      await fixture.deliver(fixture.process());
      fixture.clock.advance(hourMs / 2);
    }
    const attempts = fixture.received.length;
    expect(await fixture.condition(subscription)).toMatchObject({
      reason: 'DeliveryFailed',
      message: 'delivery failed for 24 hours, at last: the receiver answered 503; change the spec to go on',
    });
    const text = await fixture.metrics.render();
    expect(text).toContain('platform_collector_subscription_pauses_total{reason="DeliveryFailed"} 1');
    fixture.clock.advance(100 * hourMs);
    await fixture.deliver(fixture.process());
    expect(fixture.received).toHaveLength(attempts);
    await fixture.create('Widget', 'w2');
    fixture.answer = () => ({ status: 200 });
    await fixture.change(subscription, (spec) => ({ ...spec, suspend: false }));
    await fixture.deliver(fixture.process());
    const seen = fixture.seen('all').slice(attempts);
    expect(seen.filter((each) => each.startsWith('w'))).toEqual(['w1@1', 'w2@1']);
    expect(await fixture.condition(subscription)).toMatchObject({ status: 'True', reason: 'Active' });
  });

  it('pauses at once when the receiver answers 410, and waits as long as Retry-After says', async () => {
    const [gone, later] = [await fixture.subscribe('gone'), await fixture.subscribe('later')];
    await fixture.create('Widget', 'w1');
    fixture.answer = ({ path }) =>
      path === '/gone' ? { status: 410 } : { status: 429, headers: { 'Retry-After': '600' } };
    const process = fixture.process();
    await fixture.deliver(process);
    const widgets = (path: string) => fixture.seen(path).filter((each) => each === 'w1@1').length;
    expect(await fixture.condition(gone)).toMatchObject({ reason: 'Gone' });
    fixture.clock.advance(599_000);
    await fixture.deliver(process);
    expect([widgets('gone'), widgets('later')]).toEqual([1, 1]);
    fixture.clock.advance(2_000);
    await fixture.deliver(process);
    expect([widgets('gone'), widgets('later')]).toEqual([1, 2]);
    expect(await fixture.condition(later)).toMatchObject({ reason: 'Retrying' });
  });

  it('follows no redirect, and refuses private addresses', async () => {
    const subscription = await fixture.subscribe('all');
    await fixture.create('Widget', 'w1');
    fixture.answer = () => ({ status: 307, headers: { Location: '/elsewhere' } });
    await fixture.deliver(fixture.process());
    expect(fixture.received.map(({ path }) => path)).toEqual(['/all']);
    const resolver = { resolve: async () => ['127.0.0.1'] };
    fixture.clock.advance(hourMs);
    await fixture.deliver(fixture.process({ outbound: { resolver } }));
    expect(fixture.received).toHaveLength(1);
    expect(await fixture.condition(subscription)).toMatchObject({
      message: expect.stringContaining('is not an address of the public internet'),
    });
  });

  // Attack: somebody who may read the subscription learns its secrets from the reason why a delivery fails.
  it.each([
    ['a receiver that repeats them', {}],
    ['no receiver', { resolver: { resolve: async () => [] } }],
    ['a private address', { resolver: { resolve: async () => ['127.0.0.1'] } }],
  ])('tells no secret of the address or the signature in the status and the log: %s', async (_, outbound) => {
    const subscription = await fixture.subscribe('all', { url: 'https://hooks.example.test/all?key=hidden' });
    await fixture.create('Widget', 'w1');
    fixture.answer = ({ headers }) => ({
      status: 500,
      headers: { 'X-Signature': String(headers['webhook-signature']), 'X-Key': 'hidden' },
    });
    const process = fixture.process({ outbound });
    for (let turn = 0; turn < 20; turn += 1) {
      await fixture.deliver(process);
      fixture.clock.advance(5_000);
    }
    expect(await fixture.condition(subscription)).toMatchObject({ reason: 'Retrying' });
    const { status } = await fixture.read(subscription.uid, 'Subscription');
    expect(`${status}${JSON.stringify(fixture.logger.lines)}`).not.toMatch(/hidden|v1,/);
  });

  it('lets a slow receiver hold up nobody else', async () => {
    await fixture.subscribe('slow');
    await fixture.subscribe('fast');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    fixture.answer = async ({ path }) => {
      if (path === '/slow') await held;
      return { status: 200 };
    };
    const process = fixture.process();
    await fixture.create('Widget', 'w0');
    for (let n = 1; n <= 3; n += 1) {
      await fixture.create('Widget', `w${n}`);
      await fixture.store.ticks.tick();
      await process.step();
      while (fixture.seen('fast').at(-1) !== `w${n}@1`) {
        await process.step();
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    release();
    await process.settle();
    expect(fixture.seen('slow').filter((each) => each.startsWith('w')).length).toBeGreaterThan(0);
  });

  // A thousand subscriptions had 32 turns each half second, so that an event came up to sixteen seconds late.
  it('begins the turn of the next one when a turn ends, and not half a second later', async () => {
    const names = Array.from({ length: 70 }, (_, index) => `many${index}`);
    for (const name of names) await fixture.subscribe(name, { selector: { kinds: ['Widget'] } });
    await fixture.create('Widget', 'w1');
    await fixture.store.ticks.tick();
    const process = fixture.process();
    await process.step();
    await process.settle();
    expect(names.map((name) => fixture.seen(name))).toEqual(names.map(() => ['w1@1']));
  });

  it('ends a turn after ten seconds, also within a page, and goes on in the next one', async () => {
    await fixture.subscribe('all');
    const widget = await fixture.create('Widget', 'w');
    for (let size = 0; size < 9; size += 1) await fixture.change(widget, () => ({ size }));
    await fixture.store.ticks.tick();
    fixture.answer = () => {
      fixture.clock.advance(4_000);
      return { status: 200 };
    };
    const process = fixture.process();
    const turn = async () => {
      await process.step();
      await process.settle();
    };
    await turn();
    expect(fixture.seen('all')).toEqual(['w@1', 'w@2', 'w@3']);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(fixture.seen('all')).toEqual(Array.from({ length: 10 }, (_, index) => `w@${index + 1}`));
  });

  it.each([
    ['is deleted', (uid: string) => database.sql`delete from resources where uid = ${uid}`],
    [
      'is marked for deletion',
      (uid: string) => database.sql`update resources set deletion_timestamp = now() where uid = ${uid}`,
    ],
  ])('sends nothing more of a page when the subscription %s', async (_, remove) => {
    const { uid } = await fixture.subscribe('all');
    const widget = await fixture.create('Widget', 'w');
    await fixture.change(widget, () => ({ size: 2 }));
    await fixture.store.ticks.tick();
    const process = fixture.process();
    fixture.answer = async () => {
      await remove(uid);
      await process.step();
      return { status: 200 };
    };
    await process.step();
    await process.settle();
    expect(fixture.seen('all')).toEqual(['w@1']);
  });

  it('stops within a page when the subscription is suspended, and goes on from there', async () => {
    const subscription = await fixture.subscribe('all', { selector: { kinds: ['Widget'] } });
    const widget = await fixture.create('Widget', 'w');
    await fixture.change(widget, () => ({ size: 2 }));
    await fixture.change(widget, () => ({ size: 3 }));
    await fixture.store.ticks.tick();
    const process = fixture.process();
    fixture.answer = async (_, number) => {
      if (number === 0) {
        await fixture.change(subscription, (spec) => ({ ...spec, suspend: true }));
        await process.step();
      }
      return { status: 200 };
    };
    await fixture.deliver(process);
    expect(fixture.seen('all')).toEqual(['w@1']);
    expect(await fixture.condition(subscription)).toMatchObject({ reason: 'Suspended' });
    await fixture.change(subscription, (spec) => ({ ...spec, suspend: false }));
    await fixture.deliver(process);
    expect(fixture.seen('all')).toEqual(['w@1', 'w@2', 'w@3']);
  });

  it('sends again what was taken when the process dies before that is stored', async () => {
    await fixture.subscribe('all');
    await fixture.create('Widget', 'w1');
    const dying = fixture.process({
      store: {
        database: {
          ...fixture.store.database,
          rows: async (text: string, parameters: never) => {
            if (/insert into subscription_deliveries/.test(text) && fixture.received.length > 0) {
              throw new Error('killed');
            }
            return await fixture.store.database.rows(text, parameters);
          },
        } as never,
      },
    });
    await fixture.deliver(dying);
    expect(fixture.seen('all')[0]).toBe('w1@1');
    const before = fixture.received.length;
    await fixture.deliver(fixture.process());
    expect(fixture.seen('all').slice(before)).toEqual(['w1@1']);
    await fixture.deliver(fixture.process());
    expect(fixture.received).toHaveLength(before + 1);
  });

  it('waits longer and longer while it cannot store what was taken, instead of sending it again and again', async () => {
    await fixture.subscribe('all');
    await fixture.create('Widget', 'w1');
    const failing = fixture.process({
      store: {
        database: {
          ...fixture.store.database,
          rows: async (text: string, parameters: never) => {
            if (/insert into subscription_deliveries/.test(text) && fixture.received.length > 0) {
              throw new StorageUnavailable('The database is read-only.');
            }
            return await fixture.store.database.rows(text, parameters);
          },
        } as never,
      },
    });
    for (let turn = 0; turn < 60; turn += 1) {
      await fixture.deliver(failing);
      fixture.clock.advance(500);
    }
    // At 0, 1, 3, 7 and 15 seconds.
    expect(fixture.seen('all')).toEqual(Array.from({ length: 5 }, () => 'w1@1'));
    expect(fixture.logger.lines).toHaveLength(5);
  });

  it('stores the place of a subscription that gets nothing, also when its clock was set back', async () => {
    const { uid } = await fixture.subscribe('all', { selector: { kinds: ['Widget'] } });
    const process = fixture.process();
    const places = new Set<unknown>();
    for (const name of ['g1', 'g2']) {
      await fixture.create('Gadget', name);
      await fixture.deliver(process);
      const [row] = await database.sql<{ cursor: string }[]>`
        select cursor from subscription_deliveries where subscription_uid = ${uid}`;
      places.add(row?.cursor);
      fixture.clock.advance(-hourMs);
    }
    expect(places.size).toBe(2);
  });

  it('ends a turn also when the clock is set back during it', async () => {
    await fixture.subscribe('all');
    const widget = await fixture.create('Widget', 'w');
    await fixture.change(widget, () => ({ size: 2 }));
    await fixture.store.ticks.tick();
    fixture.answer = () => {
      fixture.clock.advance(-hourMs);
      return { status: 200 };
    };
    const process = fixture.process();
    await process.step();
    await process.settle();
    expect(fixture.seen('all')).toEqual(['w@1']);
    await fixture.deliver(process);
    expect(fixture.seen('all')).toEqual(['w@1', 'w@2']);
  });

  it('logs the beginning and the end of an outage', async () => {
    let isAway = true;
    const rows = (...call: Parameters<typeof fixture.store.database.rows>) =>
      isAway
        ? Promise.reject(new StorageUnavailable('The database is not reachable.'))
        : fixture.store.database.rows(...call);
    const process = fixture.process({ store: { database: { ...fixture.store.database, rows } as never } });
    for (let turn = 0; turn < 130; turn += 1) {
      await process.step();
      fixture.clock.advance(500);
    }
    isAway = false;
    await process.step();
    expect(fixture.logger.lines).toEqual([
      {
        level: 'warn',
        message: 'subscriptions: delivery could not go on; trying again',
        fields: { reason: 'The database is not reachable.' },
      },
      { level: 'info', message: 'subscriptions: delivery goes on', fields: { seconds: 65 } },
    ]);
  });

  it('goes on from the place that is stored when a failover has lost the end of the log', async () => {
    const selector = { kinds: ['Widget'] };
    const subscription = await fixture.subscribe('all', { selector });
    await fixture.create('Widget', 'w1');
    const process = fixture.process();
    await fixture.deliver(process);
    // Moves the place in the memory of the process only.
    await fixture.create('Gadget', 'g1');
    await fixture.deliver(process);
    await database.sql`update change_ticks set mark = mark - 1 where tick = (select tick from change_log)`;
    await database.sql`update change_log set mark = mark - 1`;
    await fixture.create('Widget', 'w2');
    await fixture.deliver(process);
    expect(fixture.seen('all')).toEqual(['w1@1', 'w2@1']);
    expect(await fixture.condition(subscription)).toBeUndefined();
    // Nor is that place there any more.
    await database.sql`update change_ticks set mark = mark - 1`;
    await database.sql`update change_log set mark = mark - 1`;
    await fixture.create('Widget', 'w3');
    await fixture.deliver(process);
    expect(await fixture.condition(subscription)).toMatchObject({ reason: 'ChangesExpired' });
  });

  it('goes on from what another leader stored, when it leads again before its request is answered', async () => {
    await fixture.subscribe('all');
    await fixture.create('Widget', 'w1');
    let fence: Fence | null = await fixture.lead('first');
    const first = fixture.process({ fence: () => fence, outbound: { timeoutMs: 600_000 } });
    let answer = () => {};
    fixture.answer = (_got, number) =>
      number > 0
        ? { status: 204 }
        : new Promise((resolve) => {
            answer = () => resolve({ status: 204 });
          });
    await fixture.store.ticks.tick();
    await first.step();
    await until(() => fixture.received.length === 1);
    await fixture.store.collectorLease.release(fence);
    fence = null;
    const between = await fixture.lead('second');
    const second = fixture.process({ fence: () => between });
    await fixture.create('Widget', 'w2');
    await fixture.deliver(second);
    await fixture.store.collectorLease.release(between);
    fence = await fixture.lead('first');
    answer();
    await first.settle();
    await fixture.deliver(first);
    expect(fixture.seen('all')).toEqual(['w1@1', 'w1@1', 'w2@1']);
  });

  it('waits for the tick that shows its creation', async () => {
    const { history } = fixture.store;
    let isShown = false;
    const entries: typeof history.entries = async (...query) => {
      const found = await history.entries(...query);
      return isShown ? found : found.map((entry) => ({ ...entry, cursor: null }));
    };
    const process = fixture.process({ store: { history: { ...history, entries } } });
    const subscription = await fixture.subscribe('all', { selector: { kinds: ['Widget'] } });
    await fixture.create('Widget', 'first');
    await fixture.deliver(process);
    expect(fixture.received).toEqual([]);
    isShown = true;
    await fixture.deliver(process);
    expect(fixture.seen('all')).toEqual(['first@1']);
    expect(await fixture.condition(subscription)).toBeUndefined();
  });

  it('pauses when its creation is no longer in the log, instead of beginning later in silence', async () => {
    const subscription = await fixture.subscribe('all', { selector: { kinds: ['Widget'] } });
    await fixture.create('Widget', 'missed');
    await fixture.store.ticks.tick();
    // No collector has run for the retention.
    await database.sql`delete from changes where uid = ${subscription.uid}`;
    await fixture.deliver(fixture.process());
    expect(fixture.received).toEqual([]);
    expect(await fixture.condition(subscription)).toMatchObject({
      status: 'False',
      reason: 'ChangesExpired',
      message: expect.stringContaining('some were not delivered'),
    });
    expect(await fixture.metrics.render()).toContain(
      'platform_collector_subscription_pauses_total{reason="ChangesExpired"} 1',
    );
    await fixture.change(subscription, (spec) => ({ ...spec, suspend: false }));
    await fixture.deliver(fixture.process());
    await fixture.create('Widget', 'next');
    await fixture.deliver(fixture.process());
    expect(fixture.seen('all')).toEqual(['next@1']);
    expect(await fixture.condition(subscription)).toMatchObject({ status: 'True', reason: 'Active' });
  });

  it('stops at once when another process leads, and the other goes on without a gap', async () => {
    await fixture.subscribe('all');
    const widget = await fixture.create('Widget', 'w');
    const fence = await fixture.lead('first');
    const old = fixture.process({ fence: () => fence });
    await fixture.deliver(old);
    await fixture.store.collectorLease.release(fence);
    await fixture.lead('second');
    await fixture.change(widget, () => ({ size: 2 }));
    const next = fixture.process();
    await Promise.all([fixture.deliver(old), fixture.deliver(next)]);
    await fixture.change(widget, () => ({ size: 3 }));
    await fixture.deliver(next);
    // The old process may send a change once more; it stores nothing, and the order stays.
    const revisions = fixture.seen('all').map((each) => Number(each.split('@')[1]));
    expect([...revisions].sort()).toEqual(revisions);
    expect(new Set(revisions)).toEqual(new Set([1, 2, 3]));
  });

  // Accident: a process stops for longer than its lease, and then says for good that a subscription fails which another one delivers.
  it('keeps the status as it is when a process that leads no more would write its own', async () => {
    const subscription = await fixture.subscribe('all');
    await fixture.create('Widget', 'w');
    const fence = await fixture.lead('first');
    const old = fixture.process({ fence: () => fence });
    fixture.answer = () => ({ status: 503 });
    await fixture.deliver(old);
    fixture.clock.advance(hourMs);
    const hold = `select from resources where uid = '${subscription.uid}' for no key update`;
    await whileHeld(database, [hold], async ({ release }) => {
      await old.step();
      // It waits to report that deliveries fail.
      await waitingForLocks(database, 1);
      await fixture.store.collectorLease.release(fence);
      await fixture.lead('second');
      fixture.answer = () => ({ status: 204 });
      await fixture.deliver(fixture.process());
      await release();
      await old.settle();
    });
    expect(fixture.seen('all')).toEqual(['w@1', 'w@1', 'w@1']);
    expect(await fixture.condition(subscription)).toBeUndefined();
  });
});
