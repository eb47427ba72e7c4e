import type { PlatformClient } from 'platform-service-client';
import { Failure } from '../failure.ts';
import { table } from '../output/table.ts';
import { readFileOrInput } from '../read-file.ts';
import { logInByBrowser } from '../session/browser-login.ts';
import type { Context } from '../session/contexts.ts';
import { logInByDevice } from '../session/device-login.ts';
import { otherVersion } from '../version.ts';
import type { CommandContext, Register } from './command-context.ts';

/** The response of `GET /api/v1/auth/me`. */
export interface Identity {
  readonly type: string;
  readonly email?: string;
  readonly id?: string;
  readonly operator: boolean;
  readonly admin: boolean;
  readonly groups?: readonly string[];
  readonly bindings?: readonly {
    readonly name: string;
    readonly role: string;
    readonly scope: string | null;
  }[];
}

/** `login`, `whoami` and `logout`. */
export const registerLogin: Register = (program, contextOf) => {
  program
    .command('login')
    .description('log in with the browser, or store an existing token')
    .option('--name <context>', 'store the login in this context (default: the current one)')
    .option('--with-token <file>', 'store the token of this file instead (- for standard input)')
    .option('--no-browser', 'print the URL instead of opening it')
    .option(
      '--insecure-storage',
      'store the token in the file of the contexts although the system has a keyring',
    )
    .option('--device', 'log in on a machine without a browser: confirm a code in a browser elsewhere')
    .addHelpText(
      'after',
      '\nExamples:\n  platform login --url https://platform.example\n  platform login --device\n  platform login --with-token - < token\n',
    )
    .action(async (options, command) => logIn(contextOf(command), options));
  program
    .command('whoami')
    .description('show the current user and platform')
    .action(async (_, command) => {
      await showIdentity(contextOf(command));
    });
  program
    .command('logout')
    .description('end the session and delete the login of the context')
    .action(async (_, command) => logOut(contextOf(command)));
};

/** The options of `login`. */
interface LoginOptions {
  readonly name?: string;
  readonly withToken?: string;
  readonly browser: boolean;
  readonly device?: boolean;
  readonly insecureStorage?: boolean;
}

async function logIn(
  ctx: CommandContext,
  { name, withToken, browser, device = false, insecureStorage = false }: LoginOptions,
): Promise<void> {
  const { session } = ctx;
  if (device && withToken !== undefined) {
    throw new Failure('usage', '--device and --with-token exclude each other');
  }
  const client = session.clientWith(undefined);
  const { token, expires } =
    withToken === undefined
      ? await newSession(client, ctx, { browser, device })
      : { token: await readToken(withToken, ctx), expires: undefined };
  // The token is verified first: a rejected one is not stored.
  const me = await identify(session.clientWith(token), ctx.signal);
  const contextName = name ?? session.name;
  const context: Context & { readonly token: string } = {
    url: client.baseUrl,
    token,
    ...(me.email === undefined ? {} : { email: me.email }),
    ...(expires === undefined ? {} : { expires }),
  };
  session.saveLogin(contextName, context, insecureStorage);
  ctx.out(`Logged in at ${client.baseUrl} as ${nameOf(me)} (${rolesOf(me)}), context ${contextName}\n`);
  const warning = await otherVersion(client, ctx.signal);
  if (warning !== null) ctx.err(`${warning}\n`);
}

async function newSession(
  client: PlatformClient,
  ctx: CommandContext,
  { browser, device }: { readonly browser: boolean; readonly device: boolean },
) {
  const { token, expiresInSeconds } = device
    ? await logInByDevice(client, ctx.terminal)
    : await logInByBrowser(client, ctx.terminal, { browser });
  return { token, expires: new Date(ctx.now + expiresInSeconds * 1000).toISOString() };
}

async function readToken(file: string, { terminal }: CommandContext): Promise<string> {
  const text = (await readFileOrInput(file, terminal)).trim();
  if (text === '' || /\s/.test(text)) throw new Failure('usage', 'the input does not contain a token');
  return text;
}

/** Prints who the caller is. */
export async function showIdentity(ctx: CommandContext): Promise<void> {
  const me = await identify(ctx.client, ctx.signal);
  ctx.out(`${nameOf(me)} at ${ctx.client.baseUrl} (${rolesOf(me)})\n`);
  // Operators may do everything, whatever bindings say.
  if (me.operator) return;
  const { groups = [], bindings = [] } = me;
  if (groups.length > 0) ctx.out(`Groups: ${groups.join(', ')}\n`);
  if (bindings.length === 0) return;
  const rows = bindings.map(({ name, role, scope }) => [name, role, scope ?? 'everywhere']);
  ctx.out(table(['BINDING', 'ROLE', 'SCOPE'], rows));
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

async function logOut(ctx: CommandContext): Promise<void> {
  const { session } = ctx;
  const { contexts, current } = session.contexts;
  const context: Context = session.context ?? { url: session.url };
  const { token: _, expires: __, email: ___, keyring: ____, ...rest } = context;
  const token = session.tokenOf(session.name, context);
  if (token === undefined) {
    ctx.out(`Not logged in at ${rest.url}\n`);
    return;
  }
  // Deleted first, so that the token is gone from this machine even when the server does not answer.
  session.forget(session.name, context);
  session.save({ current, contexts: { ...contexts, [session.name]: rest } });
  try {
    await session.clientWith(token).send({ method: 'POST', path: '/api/v1/auth/logout', signal: ctx.signal });
  } catch (error) {
    const { message } = ctx.failureOf(error);
    ctx.err(`The session was not ended at the server (${message}); it expires by itself.\n`);
  }
  ctx.out(`Logged out of ${rest.url}\n`);
}
