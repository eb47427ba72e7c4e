import type { Timers } from 'platform-service-client';

/** The environment of a command: input and output, variables, clock. Tests replace it. Files are accessed directly. */
export interface Terminal {
  /** Writes to standard output. */
  out(text: string): void;
  /** Writes to standard error: questions, progress and errors. */
  err(text: string): void;
  /** Whether standard output is a terminal. Decides about colors. */
  readonly isTty: boolean;
  /** Whether standard input is a terminal, so that questions can be asked. */
  readonly canAsk: boolean;
  /** Asks a question and returns the answer. Empty at the end of the input. */
  ask(question: string): Promise<string>;
  /** Asks a question and returns the answer, which the terminal does not show. */
  askSecret(question: string): Promise<string>;
  /** Reads all of standard input. */
  readInput(): Promise<string>;
  /** Opens a URL in the browser. Returns false when there is none. */
  openBrowser(url: string): Promise<boolean>;
  /** Runs a program in this terminal with these variables, and returns its exit code. */
  spawn(command: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<number>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly timers: Timers;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}
