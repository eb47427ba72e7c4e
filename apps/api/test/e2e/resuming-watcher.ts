import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from './reply.ts';

/** The replicas as they are at a moment: they come and go. */
type Origins = () => readonly string[];

/** A client of one stream that disconnects all the time, in the middle of lines too, and goes on at any replica. */
export class ResumingWatcher {
  /** The events that it received, as `<uid>@<revision>`, with a `-` for a removal. */
  readonly seen: string[] = [];
  /** Refusals that must not happen. */
  readonly refusals: string[] = [];
  connections = 0;
  readonly #path: string;
  readonly #origins: Origins;
  readonly #token: string;
  readonly #stopping = new AbortController();
  #cursor: string;
  #running: Promise<void> | undefined;

  constructor(path: string, cursor: string, origins: Origins, token: string) {
    this.#path = path;
    this.#cursor = cursor;
    this.#origins = origins;
    this.#token = token;
  }

  start(): this {
    this.#running = this.#run();
    return this;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const origins = this.#origins();
      const origin = origins[Math.floor(Math.random() * origins.length)] ?? '';
      const leaving = AbortSignal.timeout(50 + Math.floor(Math.random() * 1_500));
      try {
        await this.#stream(origin, AbortSignal.any([this.#stopping.signal, leaving]));
      } catch {
        // The replica was killed, its connection was cut, or this client has left.
        await delay(20);
      }
    }
  }

  async #stream(origin: string, signal: AbortSignal): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const response = await fetch(`${origin}${this.#path}?watch=true&cursor=${this.#cursor}`, {
      headers,
      signal,
    });
    if (response.status !== 200) {
      if (response.status < 500) this.refusals.push(`${response.status} ${await response.text()}`);
      await response.body?.cancel();
      await delay(50);
      return;
    }
    this.connections += 1;
    let rest = '';
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#hear(JSON.parse(line));
    }
  }

  #hear({ type, cursor, object, problem }: Json): void {
    if (type === 'ERROR') {
      if (problem.status < 500) this.refusals.push(JSON.stringify(problem));
      return;
    }
    this.#cursor = cursor;
    if (type === 'BOOKMARK') return;
    const { uid, revision } = object.metadata;
    this.seen.push(`${uid}@${revision}${type === 'DELETED' ? '-' : ''}`);
  }
}
