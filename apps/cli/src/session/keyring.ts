import { spawnSync } from 'node:child_process';
import type { Terminal } from '../terminal.ts';

/** The keyring of the system, where there is one. Every method may fail; then the token is in the file of the contexts. */
export interface Keyring {
  /** Stores the token. Returns false when the keyring did not take it. */
  store(account: string, token: string): boolean;
  find(account: string): string | undefined;
  delete(account: string): void;
}

const service = 'platform-service-cli';

/** Somebody may need so long to unlock the keyring. */
const timeoutMs = 60_000;

/** The keyring of this session: the Secret Service on Linux, the keychain on macOS; null on a machine without one. */
export function systemKeyring(
  { env }: Pick<Terminal, 'env'>,
  platform: NodeJS.Platform = process.platform,
): Keyring | null {
  if (env['PLATFORM_KEYRING'] === 'off') return null;
  const run = (program: string, args: readonly string[], input = '') =>
    spawnSync(program, args, { env, input, encoding: 'utf8', timeout: timeoutMs });
  if (platform === 'darwin') return keychain(run);
  // Without a session bus there is no Secret Service: in a container, or over SSH.
  return platform === 'linux' && env['DBUS_SESSION_BUS_ADDRESS'] ? secretService(run) : null;
}

type Run = (
  program: string,
  args: readonly string[],
  input?: string,
) => { readonly status: number | null; readonly stdout: string };

function secretService(run: Run): Keyring {
  const attributes = (account: string) => ['service', service, 'account', account];
  return {
    // The token goes through standard input: arguments are visible to every user of the machine.
    store: (account, token) =>
      run('secret-tool', ['store', `--label=platform ${account}`, ...attributes(account)], token).status ===
      0,
    find: (account) => found(run('secret-tool', ['lookup', ...attributes(account)])),
    delete: (account) => void run('secret-tool', ['clear', ...attributes(account)]),
  };
}

function keychain(run: Run): Keyring {
  const names = (account: string) => ['-s', service, '-a', account];
  return {
    // `security -i` reads the command, with the token, from standard input.
    store: (account, token) =>
      /^[\w.~+/=-]+$/.test(token) &&
      run(
        'security',
        ['-i'],
        `add-generic-password -U -s ${service} -a ${JSON.stringify(account)} -w ${token}\n`,
      ).status === 0,
    find: (account) => found(run('security', ['find-generic-password', ...names(account), '-w'])),
    delete: (account) => void run('security', ['delete-generic-password', ...names(account)]),
  };
}

function found({ status, stdout }: ReturnType<Run>): string | undefined {
  const token = (stdout ?? '').trim();
  return status === 0 && token !== '' ? token : undefined;
}
