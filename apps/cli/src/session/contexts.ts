import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { Failure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';

/** A platform, and the user's login there. */
export interface Context {
  readonly url: string;
  readonly token?: string;
  /** Whether the token is in the keyring of the system instead. */
  readonly keyring?: boolean;
  readonly email?: string;
  /** When the token expires, RFC 3339. */
  readonly expires?: string;
}

/** The content of the file. */
export interface Contexts {
  readonly current: string | undefined;
  readonly contexts: Readonly<Record<string, Context>>;
}

/** The path of the file: `PLATFORM_CLI_CONFIG`, or `platform/config.yaml` in the user's configuration directory. */
export function contextsFile({ env, home }: Pick<Terminal, 'env' | 'home'>): string {
  const base = env['XDG_CONFIG_HOME'] || join(home, '.config');
  return env['PLATFORM_CLI_CONFIG'] || join(base, 'platform', 'config.yaml');
}

/** Reads the file. Without a file there are no contexts. */
export function readContexts(file: string): Contexts {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: undefined, contexts: {} };
    throw new Failure('failed', `cannot read ${file}: ${(error as Error).message}`);
  }
  const value = parseYaml(text);
  if (!isContexts(value))
    throw new Failure(
      'failed',
      `${file} is not a valid configuration file`,
      'correct it, or delete it and log in again',
    );
  return { current: value.current, contexts: value.contexts ?? {} };
}

/** Replaces the file atomically. Only its owner can read it, because it contains tokens. */
export function writeContexts(file: string, contexts: Contexts): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, stringify(contexts), { mode: 0o600, flag: 'wx' });
    // The umask may have removed permissions.
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

// Drops the parser's message: it would show a line of the file, which may contain a token.
function parseYaml(text: string): unknown {
  try {
    return parse(text) ?? {};
  } catch {
    return undefined;
  }
}

function isContexts(value: unknown): value is { current?: string; contexts?: Record<string, Context> } {
  if (!isRecord(value)) return false;
  const { current, contexts = {} } = value;
  if (current !== undefined && current !== null && typeof current !== 'string') return false;
  return (
    isRecord(contexts) &&
    Object.values(contexts).every((context) => isRecord(context) && isText(context['url']))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
