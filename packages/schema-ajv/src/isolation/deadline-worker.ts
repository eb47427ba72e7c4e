import type { Worker } from 'node:worker_threads';
import { type Fault, Problem } from '@platform/kernel';
import type { WorkerAnswer, WorkerRequest } from './worker-protocol.ts';

/** A request that waits for the worker or runs in it. */
interface Job {
  readonly request: WorkerRequest;
  readonly resolve: (faults: readonly Fault[]) => void;
  readonly reject: (error: unknown) => void;
}

/** How a worker is run. */
export interface DeadlineWorkerOptions {
  readonly start: () => Worker;
  /** Milliseconds that one request may take, not counting its wait and the start of the worker. */
  readonly deadlineMs: number;
  /** Requests that may wait. */
  readonly queue: number;
}

/**
 * One worker thread, started when first needed, that runs one request after the other. A request past its deadline
 * or beyond the heap is answered with a fault; the thread is ended, which stops even a regular expression, and replaced.
 * Those who wait are served in turns by group, so that a schema under attack delays each other one by one deadline.
 */
export class DeadlineWorker {
  readonly #options: DeadlineWorkerOptions;
  readonly #waiting = new Map<string, Job[]>();
  #length = 0;
  #worker: Worker | undefined;
  #ready = false;
  #running: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: DeadlineWorkerOptions) {
    this.#options = options;
  }

  /** The faults that the worker finds; rejects with `unavailable` when too many wait, or after `close`. */
  run(group: string, request: WorkerRequest): Promise<readonly Fault[]> {
    if (this.#closed || this.#length >= this.#options.queue) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const jobs = this.#waiting.get(group) ?? [];
      jobs.push({ request, resolve, reject });
      this.#waiting.set(group, jobs);
      this.#length++;
      this.#next();
    });
  }

  /** Ends the thread; whoever waits is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    const jobs = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    if (this.#running !== undefined) jobs.push(this.#running);
    await this.#stop();
    for (const job of jobs) job.reject(busy());
  }

  #next(): void {
    if (this.#running !== undefined || this.#length === 0) return;
    if (this.#worker === undefined) this.#start();
    if (!this.#ready) return;
    const job = this.#take();
    this.#running = job;
    this.#worker?.ref();
    this.#worker?.postMessage(job.request);
    this.#timer = setTimeout(() => this.#abandon(job), this.#options.deadlineMs);
  }

  /** The next job of the group whose turn it is; the group goes to the end of the line. */
  #take(): Job {
    const [group, jobs] = this.#waiting.entries().next().value as [string, Job[]];
    this.#waiting.delete(group);
    const job = jobs.shift() as Job;
    if (jobs.length > 0) this.#waiting.set(group, jobs);
    this.#length--;
    return job;
  }

  #start(): void {
    const worker = this.#options.start();
    this.#worker = worker;
    this.#ready = false;
    worker.on('message', (answer: WorkerAnswer) => {
      if (worker === this.#worker) this.#receive(answer);
    });
    worker.on('error', (error: Error) => {
      if (worker === this.#worker) this.#fail(error);
    });
    worker.on('exit', () => {
      if (worker === this.#worker) this.#fail(new Error('The schema worker ended by itself.'));
    });
  }

  #receive(answer: WorkerAnswer): void {
    if (answer.kind === 'ready') {
      this.#ready = true;
    } else {
      const job = this.#finish();
      if (answer.kind === 'faults') job?.resolve(answer.faults);
      else job?.reject(answer.error);
    }
    // An idle thread must not keep a process alive that has nothing else to do.
    if (this.#length === 0) this.#worker?.unref();
    this.#next();
  }

  #finish(): Job | undefined {
    clearTimeout(this.#timer);
    const job = this.#running;
    this.#running = undefined;
    return job;
  }

  #abandon(job: Job): void {
    this.#finish();
    void this.#stop();
    job.resolve([{ path: '', message: `took longer than ${this.#options.deadlineMs} ms to validate` }]);
    this.#next();
  }

  #fail(error: Error & { code?: string }): void {
    const job = this.#finish();
    const wasReady = this.#ready;
    void this.#stop();
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      job?.resolve([{ path: '', message: 'needed too much memory to validate' }]);
    else job?.reject(error);
    // A thread that cannot even start would be started again for ever.
    if (wasReady) this.#next();
    else for (const waiting of this.#drain()) waiting.reject(error);
  }

  #drain(): Job[] {
    const jobs = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#length = 0;
    return jobs;
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#ready = false;
    clearTimeout(this.#timer);
    await worker?.terminate();
  }
}

function busy(): Problem {
  return new Problem('unavailable', 'Too many documents are being validated.', { retryAfterSeconds: 1 });
}
