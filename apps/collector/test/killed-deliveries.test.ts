import { randomBytes, randomUUID } from 'node:crypto';
import { createSealer } from '@platform/crypto';
import { buildOnce, testDatabase } from '@platform/development/testing';
import { type Resource, systemChange } from '@platform/resources';
import { migrate, openStore, type Store } from '@platform/store-postgres';
import { Webhook } from 'standardwebhooks';
import { serve } from '../../../packages/outbound-http/test/network.ts';
import { CollectorProcess } from './collector-process.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const sealer = createSealer([{ id: 'k', key: Buffer.alloc(32).toString('base64') }]);
const paths = ['/one', '/two'];
const widgets = 8;
const changesOfEach = 60;
const kills = 4;
const roundsBeforeKill = 12;
/** The most that is repeated at a time: the page that was under way (`pageEntries`). */
const page = 32;

/** The events of the receivers, in the order of arrival. */
class Receivers {
  readonly got: { readonly path: string; readonly subject: string; readonly sequence: number }[] = [];
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  #server: Awaited<ReturnType<typeof serve>> | undefined;

  async open(): Promise<string> {
    this.#server = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const headers = request.headers as Record<string, string>;
        // Throws unless the signature is that of the body.
        const event = new Webhook(secret).verify(Buffer.concat(chunks).toString(), headers) as {
          subject: string;
          sequence: string;
        };
        const { subject, sequence } = event;
        this.got.push({ path: request.url ?? '', subject, sequence: Number(sequence) });
        response.writeHead(204).end();
        for (const { count, resolve } of this.#waiting) if (this.got.length >= count) resolve();
        this.#waiting = this.#waiting.filter(({ count }) => this.got.length < count);
      });
    });
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** Resolves after that many more events. */
  async more(count: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push({ count: this.got.length + count, resolve });
    });
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}

describe('subscriptions of a collector that is killed', () => {
  let running: CollectorProcess[] = [];
  let store: Store;
  const uids = Array.from({ length: widgets }, () => randomUUID());
  const receivers = new Receivers();
  // Registered before the database, which counts open connections as leaked when it is dropped.
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all(running.map((process) => process.ended()));
    await receivers.close();
    await store.close();
  });
  const database = testDatabase({ migrate: (url) => migrate({ url }) });

  beforeAll(async () => {
    await buildOnce();
    store = openStore({ url: database.url, poolMax: 4 });
  }, 300_000);

  async function create(
    group: string,
    kind: string,
    name: string,
    spec: object,
    uid: string,
  ): Promise<Resource> {
    const outcome = await store.writer.create({
      change: systemChange('test', 'create'),
      definition: null,
      uid,
      name,
      labels: {},
      collection: { group, kind, ancestors: [] },
      discriminator: uid.slice(-8),
      apiVersion: `${group}/v1`,
      metadata: '{"annotations":{}}',
      spec: JSON.stringify(spec),
      finalizers: [],
      ownerReferences: [],
    });
    if (outcome.outcome !== 'created') throw new Error(JSON.stringify(outcome));
    return outcome.resource;
  }

  async function subscribe(url: string): Promise<void> {
    const uid = randomUUID();
    const sealed = sealer.seal(secret, { purpose: 'resource_spec', uid, at: 'secret' });
    const selector = { kinds: ['Widget.example.dev'] };
    await create(
      'platform.dev',
      'Subscription',
      url.split('/').at(-1) ?? '',
      { url, selector, secret: sealed },
      uid,
    );
  }

  const change = (uid: string) =>
    database.sql`update resources set revision = revision + 1 where uid = ${uid}`;

  async function write(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) await Promise.all(uids.map(change));
  }

  it('are told every change in order, from the page that was under way when it died', async () => {
    const origin = await receivers.open();
    for (const path of paths) await subscribe(`${origin}${path}`);
    for (const [index, uid] of uids.entries()) await create('example.dev', 'Widget', `w${index}`, {}, uid);
    const start = () => {
      const process = new CollectorProcess(database.url, {
        PLATFORM__COLLECTOR__LEASE_SECONDS: '1',
        PLATFORM__OUTBOUND__ALLOW_INSECURE_ORIGINS: JSON.stringify([origin]),
      });
      running.push(process);
      return process;
    };
    const standBy = async () => {
      const process = start();
      await process.logged('ready');
      return process;
    };
    /** The first that takes the lease of those that stand by. */
    const nextLeader = () =>
      Promise.race(
        running.map(async (process) => {
          await process.logged('collector: leading');
          return process;
        }),
      );
    let leader = start();
    await leader.logged('collector: leading');
    await standBy();
    for (let kill = 0; kill < kills; kill += 1) {
      // In the middle of a page, of both subscriptions: what is written before a kill is more than what is waited for.
      const told = receivers.more(40 + 7 * kill);
      const writing = write(roundsBeforeKill);
      await told;
      leader.child.kill('SIGKILL');
      await writing;
      await leader.ended();
      running = running.filter((process) => process !== leader);
      await standBy();
      leader = await nextLeader();
    }
    await write(changesOfEach - 1 - kills * roundsBeforeKill);
    const last = (path: string, uid: string) =>
      receivers.got.some((got) => got.path === path && got.subject === uid && got.sequence === changesOfEach);
    while (!paths.every((path) => uids.every((uid) => last(path, uid)))) await receivers.more(1);

    for (const path of paths) {
      for (const uid of uids) {
        const told = receivers.got.filter((got) => got.path === path && got.subject === uid);
        let highest = 0;
        for (const { sequence } of told) {
          // The next one, or one of the last page again: never one that comes too early, or from further back.
          expect(sequence).toBeLessThanOrEqual(highest + 1);
          expect(sequence).toBeGreaterThan(highest - page);
          highest = Math.max(highest, sequence);
        }
        expect(highest).toBe(changesOfEach);
      }
    }
  }, 240_000);
});
