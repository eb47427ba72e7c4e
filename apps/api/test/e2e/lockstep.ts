import { setTimeout as delay } from 'node:timers/promises';
import { timeoutFactor } from '@platform/development/testing';
import { systemClock } from '@platform/kernel';
import { createMemoryStore } from '@platform/store-memory';
import { TestApi } from '../api.ts';
import { everyItem, type Run } from './address.ts';
import { callOf, definition, describeOperation } from './calls.ts';
import { definedKinds } from './definition-shapes.ts';
import { drain } from './model-collector.ts';
import type { Operation } from './operation.ts';
import { jsonOf, type Reply, type Send, sendTo } from './reply.ts';
import { Side } from './side.ts';

/** The collector process of the service, which a run may kill. */
export interface CollectorControl {
  readonly running: boolean;
  /** Ends it without a chance to say good-bye, and returns when it is gone. Does nothing when it does not run. */
  kill(): Promise<void>;
  /** Starts it again. Does nothing when it runs. */
  start(): Promise<void>;
}

/** The two sides of a run. */
export interface ServiceUnderTest {
  readonly instances: readonly Send[];
  readonly collector: CollectorControl;
  /** Describes the work left for the collector. */
  undrained(): Promise<readonly string[]>;
}

/** How long a running collector may take until it has collected what can be. */
const timeoutMs = 60_000 * timeoutFactor;

const modelTokens = {
  operator: 'operator',
  controller: 'controller',
  'other-controller': 'other-controller',
  user: 'user',
};

/** The resources that exist when a run begins, so that most operations find their parents. */
const firstItems = everyItem.filter(
  ({ kind, names }) => kind === 'Alpha' || names.every((name) => name === 'a'),
);
const plain = { spec: 0, annotations: 0, finalizers: [], owners: [] };

const finalizers = ['ctrl.example.dev/x', 'other.example.dev/y', 'free/z'];
const release = { do: 'finalizers', by: 'path', as: 'operator', add: [], remove: finalizers } as const;

/**
 * Plays one run to the service and to the model, request by request, and throws at the first answer that differs. While
 * the collector runs, each request is followed by the model's own collection, and the tombstones have to become the same.
 */
export class Lockstep {
  readonly #run: Run;
  readonly #store = createMemoryStore({ clock: systemClock });
  readonly #api = new TestApi({ store: () => ({ ...this.#store, close: async () => {} }) });
  readonly #model: Side;
  readonly #service: Side;
  readonly #collector: CollectorControl;
  readonly #undrained: () => Promise<readonly string[]>;
  readonly #story: string[] = [];

  constructor(run: Run, service: ServiceUnderTest) {
    let turn = 0;
    this.#run = run;
    this.#collector = service.collector;
    this.#undrained = () => service.undrained();
    this.#model = new Side(run, (call) => sendTo(`http://127.0.0.1:${this.#api.port}`, modelTokens)(call));
    // Each request goes to the next instance, so that none can rely on having seen the one before.
    this.#service = new Side(run, (call) => {
      turn += 1;
      return (service.instances[turn % service.instances.length] as Send)(call);
    });
  }

  async start(): Promise<void> {
    await this.#api.start();
    await this.step({ do: 'startCollector' });
    for (const kind of definedKinds) await this.step({ do: 'define', kind, shape: 0 });
    for (const at of firstItems) await this.step({ do: 'create', at, version: 'v1', content: plain });
  }

  async stop(): Promise<void> {
    await this.#api.stop();
  }

  /** One operation on both sides. */
  async step(operation: Operation): Promise<void> {
    this.#story.push(describeOperation(operation));
    try {
      if (await this.#perform(operation)) await this.#settle();
    } catch (error) {
      const told = this.#story.map((line, index) => `${index + 1}. ${line}`).join('\n');
      throw new Error(`${error instanceof Error ? error.message : error}\n\nafter\n${told}`, {
        cause: error,
      });
    }
  }

  /** Reads everything that there may be, whether or not the run has touched it. */
  async review(): Promise<void> {
    for (const at of [...definedKinds.map(definition), ...everyItem]) {
      for (const version of ['v1', 'v2'])
        await this.step({ do: 'get', at, by: 'path', version, as: 'operator' });
    }
  }

  /** Releases and deletes whatever the run has left; nothing of it may remain. */
  async clear(): Promise<void> {
    await this.step({ do: 'startCollector' });
    for (const kind of definedKinds) {
      await this.step({ ...release, at: definition(kind) });
      await this.step({ do: 'redefine', kind, shape: 0 });
    }
    const stored = new Set(this.#store.rows().map((row) => `${row.kind} ${row.name}`));
    for (const at of everyItem.filter((one) => stored.has(`${one.kind} ${this.#run.name(one)}`))) {
      await this.step({ ...release, at });
      await this.step({ do: 'delete', at, by: 'path', as: 'operator' });
    }
    for (const kind of [...definedKinds].reverse()) {
      await this.step({ do: 'delete', at: definition(kind), by: 'path', as: 'operator' });
    }
    const left = this.#store.rows().map((row) => `${row.kind} ${row.name}`);
    if (left.length > 0) throw new Error(`the model still has ${left.join(', ')}`);
  }

  /** Returns whether anything may have changed. */
  async #perform(operation: Operation): Promise<boolean> {
    if (operation.do === 'killCollector' || operation.do === 'startCollector') {
      await (operation.do === 'killCollector' ? this.#collector.kill() : this.#collector.start());
      return true;
    }
    let toModel = await callOf(operation, this.#run, this.#model);
    let toService = await callOf(operation, this.#run, this.#service);
    let changed = operation.do === 'deleteAndKillCollector';
    for (let more = true; more; ) {
      const expected = await this.#model.send(toModel);
      const actual = await this.#service.send(toService);
      if (operation.do === 'deleteAndKillCollector') await this.#collector.kill();
      this.#compare(expected, actual);
      changed ||= toModel.method !== 'GET' && expected.status < 300;
      if ((operation.do === 'create' || operation.do === 'define') && expected.status === 201) {
        const at = operation.do === 'create' ? operation.at : definition(operation.kind);
        this.#model.created(at, expected);
        this.#service.created(at, actual);
      }
      // Tokens name the last item by its uid, which each side makes up.
      const [next, nextOfService] = operation.do === 'list' ? [nextPage(expected), nextPage(actual)] : [];
      more = typeof next === 'string' && typeof nextOfService === 'string';
      toModel = { ...toModel, path: toModel.path.replace(/(&continue=.*)?$/, next ?? '') };
      toService = { ...toService, path: toService.path.replace(/(&continue=.*)?$/, nextOfService ?? '') };
    }
    if (operation.do === 'deleteAndKillCollector') await this.#collector.start();
    return changed;
  }

  #compare(expected: Reply, actual: Reply): void {
    const [wanted, got] = [wordsOf(this.#model, expected), wordsOf(this.#service, actual)];
    if (JSON.stringify(wanted) === JSON.stringify(got)) return;
    throw new Error(
      `the model answers\n${JSON.stringify(wanted)}\nbut the service\n${JSON.stringify(got)}\n${actual.text}`,
    );
  }

  /** Waits until the collector, if it runs, has done what it can; then both sides hold the same tombstones. */
  async #settle(): Promise<void> {
    if (this.#collector.running) {
      await drain(this.#store);
      await this.#collected();
    }
    const expected = (await this.#model.tombstones()).join('\n');
    const actual = (await this.#service.tombstones()).join('\n');
    if (actual === expected) return;
    throw new Error(`the model has the tombstones\n${expected}\nbut the service\n${actual}`);
  }

  async #collected(): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const left = await this.#undrained();
      if (left.length === 0) return;
      if (performance.now() > deadline) throw new Error(`not collected:\n${left.join('\n')}`);
      await delay(5);
    }
  }
}

/** The parts of two answers to the same request that must be equal. */
function wordsOf(side: Side, reply: Reply): object {
  const { status, headers } = reply;
  const type = headers.get('content-type')?.split(';')[0];
  if (status >= 400) {
    const { code, errors = [] } = jsonOf(reply);
    const paths = errors.map((fault: { path: string }) => fault.path);
    return { status, type, allow: headers.get('allow'), code, paths };
  }
  const text = side.inCommonWords(reply.text);
  const isReport = text.startsWith('{"resourceUid"');
  return {
    status,
    type,
    location: headers.get('location'),
    etag: text.includes('"deletionTimestamp":') ? 'any' : side.inCommonWords(headers.get('etag') ?? ''),
    // Blockers that agree in all else are ordered by their uids, which each side makes up.
    text: isReport ? text.split('},{').sort().join('},{') : text,
  };
}

function nextPage(reply: Reply): string | null {
  const token = reply.status === 200 ? jsonOf(reply).metadata.continue : undefined;
  return token === undefined ? null : `&continue=${token}`;
}
