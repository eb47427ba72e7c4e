import { makeInformer } from '@kubernetes/client-node';
import { firstLineOf, pause } from './leader-election.js';

/** Failures of one object are retried after twice the time of the last one, at most this long. */
const longestRetryMs = 30_000;

/**
 * Calls `reconcile` for every object of a kind: at the start, after each change, and again after a failure. One object is reconciled once
 * at a time, and changes that come in meanwhile are reconciled together.
 */
export class Controller {
  #informer;
  #reconcile;
  #retryMs;
  #due = new Set();
  #failures = new Map();
  #wake = () => undefined;

  /** `list` lists what is below `path`. */
  constructor(config, { path, list, reconcile, retryMs = 500 }) {
    this.#reconcile = reconcile;
    this.#retryMs = retryMs;
    this.#informer = makeInformer(config, path, list);
    for (const verb of ['add', 'update']) this.#informer.on(verb, (object) => this.#enqueue(keyOf(object)));
    this.#informer.on('delete', (object) => this.#failures.delete(keyOf(object)));
  }

  /** Works until the signal. */
  async run(signal) {
    const stop = () => this.#wake();
    signal.addEventListener('abort', stop);
    // An informer stops at a failure; it goes on where it was.
    const start = () => this.#informer.start().catch(startAgain);
    const startAgain = async (error) => {
      if (!signal.aborted) console.error(`watch: ${firstLineOf(error)}`);
      await pause(this.#retryMs, signal);
      if (!signal.aborted) await start();
    };
    this.#informer.on('error', startAgain);
    // Not awaited: it ends when the first answer has come, which may be after the signal.
    if (!signal.aborted) void start();
    while (!signal.aborted) {
      const [key] = this.#due;
      if (key === undefined) await new Promise((resolve) => (this.#wake = resolve));
      else await this.#work(key, signal);
    }
    signal.removeEventListener('abort', stop);
    await this.#informer.stop();
  }

  async #work(key, signal) {
    this.#due.delete(key);
    const [namespace, name] = key.split('/');
    const object = this.#informer.get(name, namespace);
    if (object === undefined) return;
    try {
      await this.#reconcile(structuredClone(object));
      this.#failures.delete(key);
    } catch (error) {
      const failures = (this.#failures.get(key) ?? 0) + 1;
      this.#failures.set(key, failures);
      // A conflict says that a newer state is on its way.
      if (error.code !== 409) console.error(`${key}: ${firstLineOf(error)}`);
      const waitMs = Math.min(longestRetryMs, this.#retryMs * 2 ** Math.min(failures - 1, 10));
      pause(waitMs, signal).then(() => this.#enqueue(key));
    }
  }

  #enqueue(key) {
    this.#due.add(key);
    this.#wake();
  }
}

const keyOf = ({ metadata: { namespace, name } }) => `${namespace}/${name}`;
