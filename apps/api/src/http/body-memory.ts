import { Problem } from '@platform/kernel';

/**
 * Limits the memory of request bodies. A body is in memory several times, as bytes, text, value and parameter, from the time it is read until
 * its request is answered.
 *
 * Attack: while the database is slow, hundreds of requests of a megabyte each fill the memory before any of them reaches its queue.
 */
export class BodyMemory {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Reserves bytes until the request is answered or its client is gone.
   * @throws Problem `unavailable` when there is no room.
   */
  reserve(
    response: { once(event: 'close', listener: () => void): unknown } | undefined,
    bytes: number,
  ): void {
    if (this.#bytes + bytes > this.#maxBytes) {
      throw new Problem('unavailable', 'Too many large requests at once.', { retryAfterSeconds: 1 });
    }
    this.#bytes += bytes;
    response?.once('close', () => {
      this.#bytes -= bytes;
    });
  }
}
