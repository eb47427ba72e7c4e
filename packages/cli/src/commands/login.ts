import { readFileSync } from 'node:fs';
import type { PlatformClient } from '@platform/client';
import { Failure } from '../failure.ts';
import { logInByBrowser } from '../session/browser-login.ts';
import type { Context } from '../session/contexts.ts';
import type { Register, Workbench } from './command.ts';

/** Who the caller is, as `GET /api/v1/auth/me` answers. */
export interface Identity {
  readonly type: string;
  readonly email?: string;
  readonly id?: string;
  readonly operator: boolean;
  readonly admin: boolean;
}

/** `login`, `whoami`, `logout`. */
export const registerLogin: Register = (program, benchOf) => {
  program
    .command('login')
    .description('log in with the browser, or keep a token that you have')
    .option('--name <context>', 'the context to keep it in (default: the current one)')
    .option('--with-token <file>', 'keep the token in this file instead; - reads standard input')
    .option('--no-browser', 'only print the address to open')
    .addHelpText(
      'after',
      '\nExamples:\n  platform login --url https://platform.example\n  platform login --with-token - < token\n',
    )
    .action(async (options, command) => logIn(benchOf(command), options));
  program
    .command('whoami')
    .description('show who you are, and where')
    .action(async (_, command) => {
      const bench = benchOf(command);
      const me = await identify(bench.client, bench.signal);
      bench.out(`${nameOf(me)} at ${bench.client.baseUrl} (${rolesOf(me)})\n`);
    });
  program
    .command('logout')
    .description('forget the session of the context')
    .action((_, command) => logOut(benchOf(command)));
};

async function logIn(
  bench: Workbench,
  { name, withToken, browser }: { name?: string; withToken?: string; browser: boolean },
): Promise<void> {
  const { session } = bench;
  const client = session.clientWith(undefined);
  const { token, expires } =
    withToken === undefined
      ? await byBrowser(client, bench, browser)
      : { token: await readToken(withToken, bench), expires: undefined };
  // Nothing is kept that does not work.
  const me = await identify(session.clientWith(token), bench.signal);
  const kept = name ?? session.name;
  const context: Context = {
    url: client.baseUrl,
    token,
    ...(me.email === undefined ? {} : { email: me.email }),
    ...(expires === undefined ? {} : { expires }),
  };
  session.save({ current: kept, contexts: { ...session.contexts.contexts, [kept]: context } });
  bench.out(`Logged in at ${client.baseUrl} as ${nameOf(me)} (${rolesOf(me)}), context ${kept}\n`);
}

async function byBrowser(client: PlatformClient, bench: Workbench, browser: boolean) {
  const { token, expiresInSeconds } = await logInByBrowser(client, bench.terminal, { browser });
  return { token, expires: new Date(bench.now + expiresInSeconds * 1000).toISOString() };
}

async function readToken(file: string, { terminal }: Workbench): Promise<string> {
  const text = (file === '-' ? await terminal.readInput() : readFileSync(file, 'utf8')).trim();
  if (text === '' || /\s/.test(text)) throw new Failure('usage', 'there is no token in the input');
  return text;
}

async function identify(client: PlatformClient, signal: AbortSignal): Promise<Identity> {
  return JSON.parse((await client.send({ method: 'GET', path: '/api/v1/auth/me', signal })).text);
}

function nameOf({ email, id, type }: Identity): string {
  return email ?? id ?? type;
}

function rolesOf({ type, operator, admin }: Identity): string {
  const roles = [...(operator ? ['operator'] : []), ...(admin ? ['admin'] : [])];
  return roles.length > 0 ? roles.join(', ') : type.replace('_', ' ');
}

function logOut(bench: Workbench): void {
  const { session } = bench;
  const { contexts, current } = session.contexts;
  const { token, expires: _, email: __, ...rest } = session.context ?? { url: session.url };
  if (token === undefined) {
    bench.out(`Not logged in at ${rest.url}\n`);
    return;
  }
  session.save({ current, contexts: { ...contexts, [session.name]: rest } });
  bench.out(`Logged out of ${rest.url}\n`);
}
