import { Option } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { pathOf } from '../kinds/kind.ts';
import { isItem, readTarget, requireItem } from '../kinds/target.ts';
import { table } from '../output/table.ts';
import type { CommandContext, Register } from './command-context.ts';
import { showIdentity } from './login.ts';
import { withinOption } from './options.ts';

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'restore'];
const subjectKinds = ['User', 'Group', 'ServiceAccount', 'Controller'];

/** The answer to one check of `POST /api/v1/access/check`. */
interface Result {
  readonly allowed: boolean;
  readonly because?: {
    readonly type: string;
    readonly binding?: string;
    readonly role?: string;
    readonly scope?: string | null;
  };
}

interface Options {
  readonly in?: string;
  readonly subresource?: string;
}

/** `auth`: what roles and bindings allow, and to whom. */
export const registerAuth: Register = (program, contextOf) => {
  const auth = program.command('auth').description('ask what is allowed, and who may do it');
  auth
    .command('can-i <verb> <target...>')
    .description('say whether you may use a verb on a resource or a collection, and which binding allows it')
    .addOption(withinOption())
    .option('--subresource <name>', 'a part of the resource, such as status')
    .option('--as <kind=name>', `ask for somebody else (operators): ${subjectKinds.join(', ')}`)
    .addHelpText(
      'after',
      '\nExamples:\n  platform auth can-i update page/acme/home\n  platform auth can-i create pages --in acme --as User=ann@example.dev\n',
    )
    .action(async (verb: string, words: string[], options: Options & { as?: string }, command) => {
      const ctx = contextOf(command);
      const checks = [{ verb: verbIn(verb), path: await pathIn(ctx, words, options) }];
      const as = options.as === undefined ? {} : { as: subjectIn(options.as) };
      const [result] = await ask(ctx, { checks, ...as });
      ctx.out(result?.allowed === true ? `yes: ${reasonOf(result)}\n` : 'no\n');
      if (result?.allowed !== true) ctx.finish(exitCodes.failed);
    });
  auth
    .command('who-can <verb> <target...>')
    .description('list the subjects of bindings that allow a verb on a resource or a collection (operators)')
    .addOption(withinOption())
    .option('--subresource <name>', 'a part of the resource, such as status')
    .addOption(new Option('-o, --output <format>', 'the answer of the server').choices(['json']))
    .action(async (verb: string, words: string[], options: Options & { output?: string }, command) => {
      const ctx = contextOf(command);
      const query = new URLSearchParams({
        verb: verbIn(verb),
        path: await pathIn(ctx, words, options),
      });
      const path = `/api/v1/access/subjects?${query}`;
      const { text } = await ctx.client.send({ method: 'GET', path, signal: ctx.signal });
      if (options.output === 'json') return ctx.out(`${text}\n`);
      const { subjects } = ctx.client.json.parse(text) as {
        readonly subjects: readonly {
          readonly kind: string;
          readonly name: string;
          readonly binding: string;
        }[];
      };
      if (subjects.length === 0) return ctx.err('Nobody but operators.\n');
      const rows = subjects.map(({ kind, name, binding }) => [kind, name, binding]);
      ctx.out(table(['KIND', 'NAME', 'BINDING'], rows));
    });
  auth
    .command('whoami')
    .description('show the current user and platform')
    .action(async (_, command) => {
      await showIdentity(contextOf(command));
    });
};

/** The path of the request that the words mean; a word that begins with a slash is the path itself. */
async function pathIn(
  ctx: CommandContext,
  words: readonly string[],
  { in: within, subresource }: Options,
): Promise<string> {
  if (words[0]?.startsWith('/') === true) return words.join('/');
  const target = readTarget(await ctx.catalog(), words, within);
  if (subresource === undefined && !isItem(target)) {
    const { kind, version, names } = target;
    return ctx.client
      .resources(pathOf(kind, version))
      .in(...names)
      .path();
  }
  const { collection, key } = requireItem(ctx.client, target);
  const path = collection.path(key);
  return subresource === undefined ? path : `${path}/${encodeURIComponent(subresource)}`;
}

async function ask(ctx: CommandContext, body: object): Promise<readonly Result[]> {
  const request = { method: 'POST', path: '/api/v1/access/check', body, signal: ctx.signal } as const;
  const { text } = await ctx.client.send(request);
  return (ctx.client.json.parse(text) as { readonly results: readonly Result[] }).results;
}

function reasonOf({ because }: Result): string {
  if (because?.type !== 'binding')
    return because?.type === 'controller' ? 'listed by the definition' : 'operator';
  const scope = because.scope == null ? 'everywhere' : `in the scope uid:${because.scope}`;
  return `rolebinding/${because.binding} gives role/${because.role} ${scope}`;
}

function verbIn(verb: string): string {
  if (verbs.includes(verb)) return verb;
  throw new Failure('usage', `unknown verb ${verb}`, `expected ${verbs.join(', ')}`);
}

function subjectIn(text: string): { readonly kind: string; readonly name: string } {
  const at = text.indexOf('=');
  const kind = subjectKinds.find((one) => one.toLowerCase() === text.slice(0, at).toLowerCase());
  if (kind === undefined || at === text.length - 1) {
    throw new Failure(
      'usage',
      `unknown subject ${text}`,
      `expected <kind>=<name> with ${subjectKinds.join(', ')}`,
    );
  }
  return { kind, name: text.slice(at + 1) };
}
