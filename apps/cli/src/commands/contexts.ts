import { Failure } from '../failure.ts';
import { table } from '../output/table.ts';
import type { Context } from '../session/contexts.ts';
import type { Register } from './command-context.ts';

/** `contexts`: the platforms and logins of the user. */
export const registerContexts: Register = (program, contextOf) => {
  const contexts = program.command('contexts').description('list the contexts: platforms and logins');
  contexts.action((_, command) => {
    const { session, now, terminal } = contextOf(command);
    const { current, contexts: stored } = session.contexts;
    const rows = Object.entries(stored).map(([name, context]) => [
      name === current ? '*' : '',
      name,
      context.url,
      context.email ?? '-',
      sessionOf(context, now),
    ]);
    terminal.out(
      rows.length === 0
        ? 'No contexts. Create one with: platform login\n'
        : table(['', 'NAME', 'URL', 'USER', 'SESSION'], rows),
    );
  });
  contexts
    .command('use <name>')
    .description('make a context the current one')
    .action((name, _, command) => {
      const { session, terminal } = contextOf(command);
      const stored = session.contexts;
      requireContext(stored.contexts, name);
      session.save({ ...stored, current: name });
      terminal.out(`Now using context ${name} (${stored.contexts[name]?.url})\n`);
    });
  contexts
    .command('set <name> <url>')
    .description('add a context, or change its URL; changing the URL removes its login')
    .action((name, url, _, command) => {
      const { session, terminal } = contextOf(command);
      const { baseUrl } = session.clientWith(undefined, url);
      const { current, contexts: stored } = session.contexts;
      const old = stored[name];
      const context = old?.url === baseUrl ? old : { url: baseUrl };
      session.save({ current: current ?? name, contexts: { ...stored, [name]: context } });
      terminal.out(`Context ${name} is ${baseUrl}\n`);
    });
  contexts
    .command('delete <name>')
    .description('delete a context with its login')
    .action((name, _, command) => {
      const { session, terminal } = contextOf(command);
      const { current, contexts: stored } = session.contexts;
      requireContext(stored, name);
      const { [name]: deleted, ...rest } = stored;
      if (deleted !== undefined) session.forget(name, deleted);
      session.save({ current: current === name ? undefined : current, contexts: rest });
      terminal.out(`Context ${name} deleted\n`);
    });
};

function requireContext(contexts: object, name: string): void {
  if (!Object.hasOwn(contexts, name))
    throw new Failure('notFound', `context ${name} does not exist`, 'platform contexts lists them');
}

function sessionOf({ token, keyring, expires }: Context, now: number): string {
  if (token === undefined && keyring !== true) return 'none';
  if (expires === undefined) return 'token';
  return Date.parse(expires) <= now ? 'expired' : `until ${expires}`;
}
