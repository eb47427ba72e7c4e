import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PersonName, WholeApi } from '@platform/api/testing';
import { createClient, type PlatformClient } from '@platform/client';
import { run } from '../src/run.ts';
import { FakeTerminal, type FakeTerminalOptions } from './fake-terminal.ts';

/** What a command line came to. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** How a command line is run. */
export interface RunOptions extends FakeTerminalOptions {
  /** Who runs it, by a token in the environment; null for nobody. The operator without it. */
  readonly as?: PersonName | null;
}

/** The real API on a database of its own, a home directory, and the command line. Call it at the top of a file. */
export class CliWorld {
  readonly api: WholeApi;
  readonly home = mkdtempSync(join(tmpdir(), 'platform-cli-'));

  constructor(settings?: ConstructorParameters<typeof WholeApi>[0]) {
    this.api = new WholeApi(settings);
    afterAll(() => rmSync(this.home, { recursive: true, force: true }));
  }

  /** A client of an operator, for arranging and looking. */
  get operator(): PlatformClient {
    return createClient({ baseUrl: this.api.publicUrl, token: this.api.session('operator') });
  }

  get configFile(): string {
    return join(this.home, '.config', 'platform', 'config.yaml');
  }

  terminal({ as = 'operator', ...options }: RunOptions = {}): FakeTerminal {
    const token = as === null ? {} : { PLATFORM_TOKEN: this.api.session(as) };
    const env = { PLATFORM_URL: this.api.publicUrl, ...token, ...options.env };
    return new FakeTerminal({ home: this.home, ...options, env });
  }

  /** Runs `platform <words>`; a text is split at its spaces. */
  async run(words: string | readonly string[], options: RunOptions = {}): Promise<Ran> {
    const terminal = this.terminal(options);
    const argv = typeof words === 'string' ? words.split(' ') : words;
    const code = await run(argv, terminal);
    return { code, out: terminal.stdout, err: terminal.stderr };
  }

  /** The same for a command that must succeed: what it wrote to standard output. */
  async ok(words: string | readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, out, err } = await this.run(words, options);
    if (code !== 0) throw new Error(`platform ${words} ended with ${code}: ${err}`);
    return out;
  }

  /** Writes a file below the home directory and returns its path. */
  path(name: string): string {
    return join(this.home, name);
  }
}
