import type { Writable } from 'node:stream';
import Transport from 'winston-transport';

/** A rendered line, as winston passes it to the transport. */
export interface RenderedLine {
  readonly rendered: string;
}

/**
 * Collects the lines of one tick of the event loop and writes them together, because a system call per line costs more than rendering
 * the line. Writes the remaining lines when the process exits.
 */
export class BatchingTransport extends Transport {
  readonly #destination: Writable;
  #pending = '';
  readonly #flush = () => this.flush();

  constructor(destination: Writable) {
    super();
    this.#destination = destination;
    // A service must survive a closed pipe.
    destination.on('error', () => undefined);
    process.once('exit', this.#flush);
  }

  override log(line: RenderedLine, next: () => void): void {
    if (this.#pending === '') setImmediate(this.#flush);
    this.#pending += `${line.rendered}\n`;
    next();
  }

  /** Writes the collected lines. */
  flush(): void {
    if (this.#pending === '') return;
    const lines = this.#pending;
    this.#pending = '';
    this.#destination.write(lines);
  }

  /** Resolves when the destination has accepted everything logged so far. */
  drained(): Promise<void> {
    process.off('exit', this.#flush);
    this.flush();
    return new Promise((resolve) => this.#destination.write('', () => resolve()));
  }
}
