import type { Command } from 'commander';
import pc from 'picocolors';
import type { PlatformClient, ResumeOptions } from 'platform-service-client';
import { exitCodes } from '../exit-codes.ts';
import type { Failure } from '../failure.ts';
import { failureOf } from '../failure-of.ts';
import { Catalog } from '../kinds/catalog.ts';
import { Session, type SessionOptions } from '../session/session.ts';
import type { Terminal } from '../terminal.ts';

/** Functions that color text, or leave it unchanged. */
export type Colors = ReturnType<typeof pc.createColors>;

/** The exit code of a command that does not throw. */
export interface Outcome {
  code: number;
  /** The source of the token, when it is not the login of the current context. For hints. */
  credential?: string;
}

/** Everything that one run of a command works with. */
export class CommandContext {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly colors: Colors;
  readonly #outcome: Outcome;
  #client: PlatformClient | undefined;
  #isUnreachable = false;

  constructor(terminal: Terminal, options: SessionOptions & { readonly color?: boolean }, outcome: Outcome) {
    this.#outcome = outcome;
    this.terminal = terminal;
    this.session = new Session(terminal, options);
    const { env } = terminal;
    const wanted = options.color !== false && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
    this.colors = pc.createColors(terminal.isTty && wanted);
  }

  /** A client with the user's credentials. */
  get client(): PlatformClient {
    const { credential } = this.session;
    if (credential !== undefined) this.#outcome.credential = credential;
    this.#client ??= this.session.client();
    return this.#client;
  }

  get signal(): AbortSignal {
    return this.terminal.signal;
  }

  get now(): number {
    return this.terminal.timers.now();
  }

  /** Reads the registered kinds. */
  async catalog(signal: AbortSignal = this.signal): Promise<Catalog> {
    return await Catalog.read(this.client, { signal });
  }

  failureOf(error: unknown): Failure {
    return failureOf(error, this.session.credential);
  }

  /** Records a failure that does not end the command. The first one sets the exit code. */
  fail({ exit }: Failure): void {
    if (this.#outcome.code === exitCodes.ok) this.#outcome.code = exitCodes[exit];
    if (exit === 'unavailable' || exit === 'unauthenticated') this.#isUnreachable = true;
  }

  /** Whether a recorded failure would also meet every other request. */
  get isUnreachable(): boolean {
    return this.#isUnreachable;
  }

  /** Sets the exit code of a command that throws nothing. */
  finish(code: number): void {
    this.#outcome.code = code;
  }

  out(text: string): void {
    this.terminal.out(text);
  }

  err(text: string): void {
    this.terminal.err(text);
  }

  /** For commands that follow changes: one line when an outage begins, and one when it is over. One command takes it once. */
  get outageLines(): Required<Pick<ResumeOptions, 'onOutage' | 'onRecovery'>> {
    let isAway = false;
    return {
      onOutage: (error) => {
        if (!isAway) this.err(`${this.failureOf(error).message}; trying again\n`);
        isAway = true;
      },
      onRecovery: () => {
        if (isAway) this.err('The platform answers again.\n');
        isAway = false;
      },
    };
  }
}

/** Adds one command, or a group of related ones, to the program. */
export type Register = (program: Command, contextOf: (command: Command) => CommandContext) => void;
