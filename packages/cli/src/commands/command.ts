import type { PlatformClient } from '@platform/client';
import type { Command } from 'commander';
import pc from 'picocolors';
import { Catalog } from '../kinds/catalog.ts';
import { Session, type SessionOptions } from '../session/session.ts';
import type { Terminal } from '../terminal.ts';

/** How text is coloured. */
export type Colors = ReturnType<typeof pc.createColors>;

/** What the command ends with, when nothing is thrown. */
export interface Outcome {
  code: number;
}

/** What the commands work with, made for one run. */
export class Workbench {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly colors: Colors;
  readonly #outcome: Outcome;
  #client: PlatformClient | undefined;

  constructor(terminal: Terminal, options: SessionOptions & { readonly color?: boolean }, outcome: Outcome) {
    this.#outcome = outcome;
    this.terminal = terminal;
    this.session = new Session(terminal, options);
    const { env } = terminal;
    const wanted = options.color !== false && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
    this.colors = pc.createColors(terminal.isTty && wanted);
  }

  get client(): PlatformClient {
    this.#client ??= this.session.client();
    return this.#client;
  }

  get signal(): AbortSignal {
    return this.terminal.signal;
  }

  get now(): number {
    return this.terminal.timers.now();
  }

  /** The kinds that the platform has. */
  async catalog(signal: AbortSignal = this.signal): Promise<Catalog> {
    return await Catalog.read(this.client, { signal });
  }

  /** The exit code, when it is not 0 although nothing is thrown. */
  finish(code: number): void {
    this.#outcome.code = code;
  }

  out(text: string): void {
    this.terminal.out(text);
  }

  err(text: string): void {
    this.terminal.err(text);
  }
}

/** Adds one command, or several that belong together, to the program. */
export type Register = (program: Command, bench: (command: Command) => Workbench) => void;
