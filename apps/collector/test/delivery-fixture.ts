import { randomBytes, randomUUID } from 'node:crypto';
import type { SubscriptionDelivery } from '@platform/change-log';
import type { Config } from '@platform/config';
import { createSealer } from '@platform/crypto';
import {
  type FakeClock,
  fakeClock,
  type RecordingLogger,
  recordingLogger,
  storeTimeouts,
} from '@platform/development/testing';
import type { Fence } from '@platform/garbage-collector';
import type { Clock } from '@platform/kernel';
import { createOutbound, type OutboundOptions } from '@platform/outbound-http';
import { type Labels, type Resource, systemChange } from '@platform/resources';
import { openStore, type Store } from '@platform/store-postgres';
import { Webhook } from 'standardwebhooks';
import { fakeResolver, loopbackConnector, serve } from '../../../packages/outbound-http/test/network.ts';
import { createMetrics } from '../src/metrics.ts';
import { wireSubscriptions } from '../src/wire/subscriptions.ts';

export const secret = `whsec_${randomBytes(32).toString('base64')}`;
const keys = [{ id: 'k1', key: Buffer.alloc(32, 1).toString('base64') }];
const sealer = createSealer(keys);
const hook = 'hooks.example.test';

/** A verified event, as a receiver got it. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: events are asserted on member by member
  readonly event: any;
}

/** How a receiver answers the request with that number on its path. */
export type Answering = (
  got: Received,
  number: number,
) =>
  | { status: number; headers?: Record<string, string> }
  | Promise<{ status: number; headers?: Record<string, string> }>;

/** A store with receivers and processes that deliver to them. */
export class DeliveryFixture {
  readonly received: Received[] = [];
  readonly clock: FakeClock = fakeClock();
  readonly logger: RecordingLogger = recordingLogger();
  readonly metrics = createMetrics('0.0.0');
  answer: Answering = () => ({ status: 204 });
  readonly store: Store;
  #server: Awaited<ReturnType<typeof serve>> | undefined;
  #ca = '';
  #fence: Fence | null = null;

  constructor(url: string) {
    this.store = openStore({ ...storeTimeouts, url, poolMax: 4 });
  }

  async open(tls: { readonly cert: string; readonly key: string }): Promise<void> {
    this.#ca = tls.cert;
    this.#server = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', async () => {
        const body = Buffer.concat(chunks).toString();
        const headers = request.headers as Record<string, string>;
        // Throws unless the signature is that of the body. The tests' clock is not that of the library.
        const event = verified(body, headers);
        const got = { path: request.url ?? '', headers, event };
        const number = this.received.filter(({ path }) => path === got.path).length;
        this.received.push(got);
        const { status, headers: more = {} } = await this.answer(got, number);
        response.writeHead(status, more).end();
      });
    }, tls);
    await this.lead('first');
  }

  async close(): Promise<void> {
    await this.#server?.close();
    await this.store.close();
  }

  /** Makes a process the leader. */
  async lead(holder: string, seconds = 600): Promise<Fence> {
    const attempt = await this.store.collectorLease.acquire(holder, seconds);
    if (!attempt.held) throw new Error('somebody else leads');
    this.#fence = attempt.fence;
    return attempt.fence;
  }

  /** A process that delivers. */
  process(
    options: {
      readonly fence?: () => Fence | null;
      readonly store?: Partial<Store>;
      readonly clock?: Clock;
      readonly outbound?: Partial<OutboundOptions>;
    } = {},
  ): SubscriptionDelivery {
    const config = {
      server: { public_url: 'https://platform.example.test' },
      encryption: { keys },
      outbound: {},
    } as unknown as Pick<Config, 'server' | 'outbound' | 'encryption'>;
    return wireSubscriptions(config, {
      store: { ...this.store, ...options.store },
      logger: this.logger,
      metrics: this.metrics.deliveries,
      fence: options.fence ?? (() => this.#fence),
      clock: options.clock ?? this.clock,
      outbound: createOutbound({
        allowInsecureOrigins: [],
        platformUrl: 'https://platform.example.test',
        timeoutMs: 30_000,
        resolver: fakeResolver({ [hook]: [['93.184.216.34']] }),
        connector: loopbackConnector(this.#server?.port ?? 0, this.#ca),
        ...options.outbound,
      }),
    });
  }

  /** Lets the log grow, then delivers what is due. */
  async deliver(process: SubscriptionDelivery): Promise<void> {
    await this.store.ticks.tick();
    for (let turn = 0; turn < 3; turn += 1) {
      await process.step();
      await process.settle();
    }
  }

  /** Creates a Subscription that sends to `/<name>`. */
  async subscribe(name: string, spec: object = {}): Promise<Resource> {
    const uid = randomUUID();
    const sealed = sealer.seal(secret, { purpose: 'resource_spec', uid, at: 'secret' });
    const url = `https://${hook}/${name}`;
    return await this.create('Subscription', name, { url, ...spec, secret: sealed }, { uid });
  }

  async create(
    kind: string,
    name: string,
    spec: object = {},
    { uid = randomUUID(), labels = {} }: { readonly uid?: string; readonly labels?: Labels } = {},
  ): Promise<Resource> {
    const group = ['Subscription', 'Secret'].includes(kind) ? 'platform.dev' : 'example.dev';
    const outcome = await this.store.writer.create({
      change: systemChange('test', 'create'),
      definition: null,
      uid,
      name,
      labels,
      collection: { group, kind, ancestors: [] },
      discriminator: uid.slice(-8),
      apiVersion: group === 'platform.dev' ? 'platform.dev/v1alpha1' : `${group}/v1`,
      metadata: '{"annotations":{}}',
      spec: JSON.stringify(spec),
      finalizers: [],
      ownerReferences: [],
    });
    if (outcome.outcome !== 'created') throw new Error(JSON.stringify(outcome));
    return outcome.resource;
  }

  async read(uid: string, kind: string): Promise<Resource> {
    const group = kind === 'Subscription' ? 'platform.dev' : 'example.dev';
    const { resource } = await this.store.reader.get({ by: 'uid', uid, group, kind }, null);
    if (resource === null) throw new Error(`there is no ${kind} ${uid}`);
    return resource;
  }

  /** Changes the spec, and so the generation. */
  async change(stored: Resource, spec: (before: object) => object): Promise<Resource> {
    const row = await this.read(stored.uid, stored.kind);
    const { uid, revision, apiVersion, labels, metadata, finalizers, ownerReferences } = row;
    const outcome = await this.store.writer.replace({
      change: systemChange('test', 'update'),
      definition: null,
      uid,
      revision,
      apiVersion,
      labels,
      metadata,
      finalizers,
      ownerReferences,
      addedOwners: [],
      specChanged: true,
      spec: JSON.stringify(spec(JSON.parse(row.spec))),
    });
    if (outcome.outcome !== 'replaced') throw new Error(JSON.stringify(outcome));
    return outcome.resource;
  }

  /** `resource@revision` of what came on a path. */
  seen(path: string): string[] {
    return this.received
      .filter((got) => got.path === `/${path}`)
      .map(({ event }) => `${event.data.object.metadata.name}@${event.data.object.metadata.revision}`);
  }

  /** The condition in the status of a subscription; undefined while there is none. */
  async condition({
    uid,
  }: Resource): Promise<{ status: string; reason: string; message: string } | undefined> {
    const { status } = await this.read(uid, 'Subscription');
    return JSON.parse(status).controllers.platform?.conditions[0];
  }
}

function verified(body: string, headers: Record<string, string>): unknown {
  const webhook = new Webhook(secret);
  const id = headers['webhook-id'] ?? '';
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  if (headers['webhook-signature'] !== webhook.sign(id, at, body)) throw new Error('the signature is wrong');
  return JSON.parse(body);
}
