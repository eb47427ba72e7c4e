import { systemTimers, type Timers } from 'platform-service-client';
import type { Terminal } from '../src/terminal.ts';

/** Options of the terminal. */
export interface FakeTerminalOptions {
  readonly env?: Terminal['env'];
  readonly home?: string;
  /** Piped standard input. Without it, standard input is a terminal. */
  readonly input?: string;
  /** The answers of the user, one for each question. */
  readonly answers?: readonly string[];
  /** Replaces running a program. */
  readonly spawn?: (command: readonly string[], env: Terminal['env']) => number | Promise<number>;
  /** Replaces opening a browser. */
  readonly browse?: (url: string) => void;
  readonly isTty?: boolean;
  readonly timers?: Timers;
}

/** A terminal that records its output. */
export class FakeTerminal implements Terminal {
  stdout = '';
  stderr = '';
  readonly env: Terminal['env'];
  readonly home: string;
  readonly isTty: boolean;
  readonly timers: Timers;
  readonly #options: FakeTerminalOptions;
  readonly #answers: string[];
  readonly #stopping = new AbortController();

  constructor(options: FakeTerminalOptions = {}) {
    this.#options = options;
    this.#answers = [...(options.answers ?? [])];
    this.env = options.env ?? {};
    this.home = options.home ?? '/nowhere';
    this.isTty = options.isTty ?? false;
    this.timers = options.timers ?? systemTimers;
  }

  get canAsk(): boolean {
    return this.#options.input === undefined && this.#options.answers !== undefined;
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Ctrl-C. */
  interrupt(): void {
    this.#stopping.abort(new Error('interrupted'));
  }

  out(text: string): void {
    this.stdout += text;
  }

  err(text: string): void {
    this.stderr += text;
  }

  async ask(question: string): Promise<string> {
    this.stderr += question;
    return this.#answers.shift() ?? '';
  }

  async askSecret(question: string): Promise<string> {
    return await this.ask(question);
  }

  async readInput(): Promise<string> {
    return this.#options.input ?? '';
  }

  async openBrowser(url: string): Promise<boolean> {
    this.#options.browse?.(url);
    return this.#options.browse !== undefined;
  }

  async spawn(command: readonly string[], env: Terminal['env']): Promise<number> {
    return (await this.#options.spawn?.(command, env)) ?? 0;
  }
}
