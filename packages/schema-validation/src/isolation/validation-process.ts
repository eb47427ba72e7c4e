import type { ChildProcess } from 'node:child_process';
import { type Fault, Problem } from '@platform/kernel';
import type { Answer, Request } from './start.ts';

/** A request that is queued or running. */
interface Job {
  readonly request: Request;
  readonly resolve: (faults: readonly Fault[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The options of a validation process. */
export interface ValidationProcessOptions {
  readonly start: () => ChildProcess;
  /** How long to wait for a response before the process is killed. Its own deadlines are shorter. */
  readonly killAfterMs: number;
  /** The maximum number of queued requests. */
  readonly queue: number;
}

/**
 * A child process, started on first use, that handles one request at a time. A thread would not be enough: a thread that exhausts its
 * heap with one large allocation can end the whole process. A killed process is replaced, and its request gets a fault.
 * Groups of requests take turns, so that a slow schema delays every other schema by one deadline at most.
 */
export class ValidationProcess {
  readonly #options: ValidationProcessOptions;
  readonly #waiting = new Map<string, Job[]>();
  #length = 0;
  #child: ChildProcess | undefined;
  #ready = false;
  #running: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ValidationProcessOptions) {
    this.#options = options;
  }

  /** Resolves with the faults. Rejects with `unavailable` if the queue is full, and after `close`. */
  run(group: string, request: Request): Promise<readonly Fault[]> {
    if (this.#closed || this.#length >= this.#options.queue) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      const jobs = this.#waiting.get(group) ?? [];
      jobs.push({ request, resolve, reject });
      this.#waiting.set(group, jobs);
      this.#length++;
      this.#next();
    });
  }

  /** Ends the process and rejects all queued requests. */
  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    const exited = new Promise<void>((resolve) => {
      if (child === undefined) resolve();
      else child.once('exit', () => resolve());
    });
    this.#end((job) => job.reject(unavailable()));
    this.#rejectWaiting(unavailable());
    // Nothing else may keep this process alive, and then it would end here, before the caller goes on.
    child?.ref();
    await exited;
  }

  #next(): void {
    if (this.#running === undefined && this.#length > 0) {
      if (this.#child === undefined) this.#start();
      if (this.#ready) this.#send(this.#dequeue());
    }
    // An idle child process must not keep this process alive.
    const hold = this.#running === undefined && this.#length === 0 ? 'unref' : 'ref';
    this.#child?.[hold]();
    this.#child?.channel?.[hold]();
  }

  /** Removes the next job of the first group, and moves that group to the end of the queue. */
  #dequeue(): Job {
    const [group, jobs] = this.#waiting.entries().next().value as [string, Job[]];
    this.#waiting.delete(group);
    const job = jobs.shift() as Job;
    if (jobs.length > 0) this.#waiting.set(group, jobs);
    this.#length--;
    return job;
  }

  #send(job: Job): void {
    this.#running = job;
    this.#child?.send(job.request);
    this.#timer = setTimeout(() => {
      this.#end(() =>
        job.resolve([{ path: '', message: `takes longer than ${this.#options.killAfterMs} ms to process` }]),
      );
      this.#next();
    }, this.#options.killAfterMs);
  }

  #start(): void {
    const child = this.#options.start();
    this.#child = child;
    const ifCurrent = (handle: () => void): void => {
      if (child === this.#child) handle();
    };
    child.on('message', (answer: Answer) => ifCurrent(() => this.#receive(answer)));
    child.on('error', (error) => ifCurrent(() => this.#exited(error.message)));
    child.on('exit', (code, signal) => ifCurrent(() => this.#exited(signal ?? `code ${code}`)));
  }

  #receive(answer: Answer): void {
    if (answer.kind === 'ready') this.#ready = true;
    else {
      const job = this.#finish();
      if (answer.kind === 'faults') job?.resolve(answer.faults);
      else job?.reject(new Error(answer.error));
    }
    this.#next();
  }

  /**
   * Handles an exit. While it works, the request is the cause: Node.js aborts when the heap is full. A process that cannot start is
   * not retried; all queued requests are rejected.
   */
  #exited(how: string): void {
    if (this.#ready) {
      this.#end((job) => job.resolve([{ path: '', message: 'takes too much memory to process' }]));
      this.#next();
    } else {
      const error = new Error(`The validation process did not start: ${how}.`);
      this.#end((job) => job.reject(error));
      this.#rejectWaiting(error);
    }
  }

  #rejectWaiting(error: Error): void {
    const jobs = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#length = 0;
    for (const job of jobs) job.reject(error);
  }

  #finish(): Job | undefined {
    clearTimeout(this.#timer);
    const job = this.#running;
    this.#running = undefined;
    return job;
  }

  #end(settle: (job: Job) => void): void {
    const child = this.#child;
    this.#child = undefined;
    this.#ready = false;
    const job = this.#finish();
    child?.kill('SIGKILL');
    if (job !== undefined) settle(job);
  }
}

function unavailable(): Problem {
  return new Problem('unavailable', 'Too many documents are being validated.', { retryAfterSeconds: 1 });
}
