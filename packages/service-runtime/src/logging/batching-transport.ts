import type { Writable } from 'node:stream';
import Transport from 'winston-transport';

/** A line on its way through winston. */
export interface RenderedLine {
  readonly rendered: string;
}

/**
 * Collects the lines of one turn of the event loop and writes them at once: a system call for each line
 * would cost more than making it. What is left at the end of the process is written then.
 */
export class BatchingTransport extends Transport {
  readonly #destination: Writable;
  #waiting = '';
  readonly #flush = () => this.flush();

  constructor(destination: Writable) {
    super();
    this.#destination = destination;
    // A reader that has gone away is no reason for a service to end.
    destination.on('error', () => undefined);
    process.once('exit', this.#flush);
  }

  override log(line: RenderedLine, next: () => void): void {
    if (this.#waiting === '') setImmediate(this.#flush);
    this.#waiting += `${line.rendered}\n`;
    next();
  }

  /** Hands on what is waiting. */
  flush(): void {
    if (this.#waiting === '') return;
    const lines = this.#waiting;
    this.#waiting = '';
    this.#destination.write(lines);
  }

  /** Resolves when everything logged so far has been taken by the destination. */
  drained(): Promise<void> {
    process.off('exit', this.#flush);
    this.flush();
    return new Promise((resolve) => this.#destination.write('', () => resolve()));
  }
}
