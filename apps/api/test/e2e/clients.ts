import { everyItem, type Run } from './address.ts';
import { callOf, definition } from './calls.ts';
import { definedKinds } from './definition-shapes.ts';
import { History } from './history.ts';
import type { Ledger } from './ledger.ts';
import type { Operation } from './operation.ts';
import type { Call, Reply, Send } from './reply.ts';
import type { Service } from './service.ts';
import { Side } from './side.ts';

const finalizers = ['ctrl.example.dev/x', 'other.example.dev/y', 'free/z'];
const release = { do: 'finalizers', by: 'path', as: 'operator', add: [], remove: finalizers } as const;

/** The options of clients. With a ledger, injected faults may spoil answers; without one, they end the test. */
export interface ClientOptions {
  readonly history?: History;
  readonly ledger?: Ledger;
}

/** Concurrent clients of one service. Their observations of resources form one history. */
export class Clients {
  readonly history: History;
  readonly #ledger: Ledger | undefined;
  readonly #run: Run;
  readonly #service: Service;
  readonly #side: Side;
  #turn = 0;

  constructor(run: Run, service: Service, { history = new History(), ledger }: ClientOptions = {}) {
    this.history = history;
    this.#ledger = ledger;
    this.#run = run;
    this.#service = service;
    this.#side = new Side(run, (call) => this.#send(call, false));
  }

  /** Registers the kinds of the run. */
  async start(): Promise<void> {
    await this.#service.collector.start();
    for (const kind of definedKinds) await this.perform({ do: 'define', kind, shape: 0 });
  }

  /** One operation of one client; throws at a 5xx. */
  async perform(operation: Operation): Promise<void> {
    if (operation.do === 'killCollector') return this.#service.collector.kill();
    if (operation.do === 'startCollector') return this.#service.collector.start();
    const call = await callOf(operation, this.#run, this.#side);
    const reply = await this.#send(call, alwaysWrites(operation));
    if (operation.do === 'create' && reply.status === 201) this.#side.created(operation.at, reply);
  }

  /** Releases and deletes whatever the run has left, and waits until it is gone. */
  async clear(): Promise<void> {
    await this.#service.collector.start();
    for (const kind of definedKinds) {
      await this.perform({ ...release, at: definition(kind) });
      await this.perform({ do: 'redefine', kind, shape: 0 });
    }
    for (const at of everyItem) {
      await this.perform({ ...release, at });
      await this.perform({ do: 'delete', at, by: 'path', as: 'operator' });
    }
    await this.#service.drained();
    for (const kind of [...definedKinds].reverse()) {
      await this.perform({ do: 'delete', at: definition(kind), by: 'path', as: 'operator' });
    }
  }

  async #send(call: Call, wrote: boolean): Promise<Reply> {
    const { instances } = this.#service;
    this.#turn += 1;
    const send = instances[this.#turn % instances.length] as Send;
    const began = performance.now();
    const reply = this.#ledger === undefined ? await send(call) : await this.#ledger.send(send, call, wrote);
    const ended = performance.now();
    if (reply.status >= 500 && this.#ledger === undefined) {
      throw new Error(`${call.method} ${call.path}: ${reply.status} ${reply.text}`);
    }
    this.history.saw(reply, { began, ended }, wrote);
    return reply;
  }
}

/** Whether success means a new revision: changing finalizers, clearing a slot and deleting may find nothing to do. */
function alwaysWrites(operation: Operation): boolean {
  if (operation.do === 'status') return operation.slot === null || (operation.value ?? 0) > 0;
  return operation.do === 'create' || operation.do === 'replace';
}
