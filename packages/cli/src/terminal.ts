import type { Timers } from '@platform/client';

/** Everything that the commands know of the world: what a person sees and types, files apart. */
export interface Terminal {
  /** Writes to standard output. */
  out(text: string): void;
  /** Writes to standard error: questions, progress, what went wrong. */
  err(text: string): void;
  /** Whether a person reads standard output; decides about colour. */
  readonly isTty: boolean;
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  /** The first line that is typed after the question. Empty when there is nobody. */
  ask(question: string): Promise<string>;
  /** The same without showing what is typed. */
  askSecret(question: string): Promise<string>;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** Shows a URL in a browser; false when there is none. */
  openBrowser(url: string): Promise<boolean>;
  /** Runs a program in this terminal with these variables, and returns its exit code. */
  spawn(command: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<number>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly timers: Timers;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}
