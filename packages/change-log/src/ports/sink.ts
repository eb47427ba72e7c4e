/** The way to one client. */
export interface Sink {
  /** Hands over bytes. False when the client has not accepted the earlier ones; `onDrain` runs when it has. */
  write(bytes: Uint8Array): boolean;
  /** Whether a write returned false and the client has not accepted it yet. */
  readonly isBehind: boolean;
  /** Whether the client has accepted every byte. */
  readonly isEmpty: boolean;
  /** Runs once, when the client has accepted everything; never when it is gone. */
  onDrain(task: () => void): void;
  /** Sends what is buffered, then ends the stream. */
  end(): void;
}
