import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PersonName, WholeApi } from '@platform/api/testing';
import { createClient, type PlatformClient } from 'platform-service-client';
import { run } from '../src/run.ts';
import { FakeTerminal, type FakeTerminalOptions } from './fake-terminal.ts';

/** The result of a command. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Options of one run. */
export interface RunOptions extends FakeTerminalOptions {
  /** The user whose token is in the environment; null for no token. The operator by default. */
  readonly as?: PersonName | null;
}

/** The real API on its own database, a home directory, and the command line. Create it at the top of a test file. */
export class CliFixture {
  readonly api: WholeApi;
  readonly home = mkdtempSync(join(tmpdir(), 'platform-cli-'));

  constructor(settings?: ConstructorParameters<typeof WholeApi>[0]) {
    this.api = new WholeApi(settings);
    afterAll(() => rmSync(this.home, { recursive: true, force: true }));
  }

  /** An operator's client, for set-up and checks. */
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

  /** Runs `platform <words>`. A string is split at its spaces. */
  async run(words: string | readonly string[], options: RunOptions = {}): Promise<CommandResult> {
    const terminal = this.terminal(options);
    const argv = typeof words === 'string' ? words.split(' ') : words;
    const code = await run(argv, terminal);
    return { code, out: terminal.stdout, err: terminal.stderr };
  }

  /** Runs a command that must succeed, and returns its standard output. */
  async ok(words: string | readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, out, err } = await this.run(words, options);
    if (code !== 0) throw new Error(`platform ${words} ended with ${code}: ${err}`);
    return out;
  }

  /** A path below the home directory. */
  path(name: string): string {
    return join(this.home, name);
  }
}
