/** Bytes that every stream may keep without asking: that many streams at their limit still fit a process. */
const freePerStream = 64 * 1024;
/** Bytes that all streams of a process may keep above that. */
const sharedBytes = 32 * 1024 * 1024;

/**
 * Bounds the part of pages that waits for clients to accept what was sent before. A client that is only a moment behind keeps its
 * page, which would cost a statement to read again; one that finds no room reads the rest again when it has caught up.
 */
export class KeptBytes {
  #reserved = 0;
  readonly #shared: number;

  constructor(bytes = sharedBytes) {
    this.#shared = bytes;
  }

  /** Reserves room. Returns the bytes to {@link release}; null when there is no room. */
  reserve(bytes: number): number | null {
    if (bytes <= freePerStream) return 0;
    if (this.#reserved + bytes > this.#shared) return null;
    this.#reserved += bytes;
    return bytes;
  }

  /** Gives the bytes of {@link reserve} back. */
  release(bytes: number): void {
    this.#reserved -= bytes;
  }
}
