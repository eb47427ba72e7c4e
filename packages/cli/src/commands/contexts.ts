import { Failure } from '../failure.ts';
import { table } from '../output/table.ts';
import type { Context } from '../session/contexts.ts';
import type { Register } from './command.ts';

/** `contexts`: the platforms that one works with. */
export const registerContexts: Register = (program, benchOf) => {
  const contexts = program.command('contexts').description('list the contexts: which platforms, and as whom');
  contexts.action((_, command) => {
    const { session, now, terminal } = benchOf(command);
    const { current, contexts: kept } = session.contexts;
    const rows = Object.entries(kept).map(([name, context]) => [
      name === current ? '*' : '',
      name,
      context.url,
      context.email ?? '-',
      sessionOf(context, now),
    ]);
    terminal.out(
      rows.length === 0
        ? 'No contexts yet: platform login\n'
        : table(['', 'NAME', 'URL', 'USER', 'SESSION'], rows),
    );
  });
  contexts
    .command('use <name>')
    .description('make it the current one')
    .action((name, _, command) => {
      const { session, terminal } = benchOf(command);
      const kept = session.contexts;
      requireContext(kept.contexts, name);
      session.save({ ...kept, current: name });
      terminal.out(`Now at ${kept.contexts[name]?.url} (context ${name})\n`);
    });
  contexts
    .command('set <name> <url>')
    .description('add one, or change its address; its session ends when the address changes')
    .action((name, url, _, command) => {
      const { session, terminal } = benchOf(command);
      const { baseUrl } = session.clientWith(undefined, url);
      const { current, contexts: kept } = session.contexts;
      const old = kept[name];
      const context = old?.url === baseUrl ? old : { url: baseUrl };
      session.save({ current: current ?? name, contexts: { ...kept, [name]: context } });
      terminal.out(`Context ${name} is ${baseUrl}\n`);
    });
  contexts
    .command('delete <name>')
    .description('forget it, with its session')
    .action((name, _, command) => {
      const { session, terminal } = benchOf(command);
      const { current, contexts: kept } = session.contexts;
      requireContext(kept, name);
      const { [name]: __, ...rest } = kept;
      session.save({ current: current === name ? undefined : current, contexts: rest });
      terminal.out(`Context ${name} deleted\n`);
    });
};

function requireContext(contexts: object, name: string): void {
  if (!Object.hasOwn(contexts, name))
    throw new Failure('notFound', `there is no context ${name}`, 'platform contexts');
}

function sessionOf({ token, expires }: Context, now: number): string {
  if (token === undefined) return 'none';
  if (expires === undefined) return 'kept token';
  return Date.parse(expires) <= now ? 'over' : `until ${expires}`;
}
