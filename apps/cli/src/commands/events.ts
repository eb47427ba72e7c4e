import { Option } from 'commander';
import type { ChangeEvent } from 'platform-service-client';
import { resumeWatch } from 'platform-service-client';
import { losslessJson } from '../json.ts';
import { labelOf, readTarget } from '../kinds/target.ts';
import { watchTarget } from '../kinds/watch-target.ts';
import { printable } from '../output/format.ts';
import type { CommandContext, Register } from './command-context.ts';
import { withinOption } from './options.ts';

/** `events`: shows who changes what, as it happens. */
export const registerEvents: Register = (program, contextOf) => {
  program
    .command('events [target...]')
    .description(
      'show changes as they happen, until Ctrl-C: of a resource, of a kind, or of everything (operators)',
    )
    .requiredOption('-f, --follow', 'wait for new changes')
    .addOption(withinOption())
    .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text'))
    .action(async (words: string[], { in: within, output }, command) => {
      const ctx = contextOf(command);
      for await (const event of await watch(ctx, words, within)) {
        // The initial state is no change.
        if (event.type === 'BOOKMARK' || event.cursor === undefined) continue;
        ctx.out(output === 'json' ? `${losslessJson.stringify(event)}\n` : lineOf(event));
      }
      ctx.signal.throwIfAborted();
    });
};

async function watch(ctx: CommandContext, words: readonly string[], within: string | undefined) {
  const { client, signal } = ctx;
  const options = { signal, timers: ctx.terminal.timers, ...ctx.outageLines };
  // Asked for everything, too: a platform that cannot be reached at the beginning is an error, and later an outage that is waited for.
  const catalog = await ctx.catalog();
  if (words.length > 0) return watchTarget(client, readTarget(catalog, words, within), options);
  return resumeWatch((cursor) => client.watchChanges({ cursor, signal }), options);
}

/** `<time>  updated  page/blog/news/hello@4  by operator ann@example.dev: because`. */
function lineOf({ type, operation = '', time = '', actor, reason, object }: ChangeEvent): string {
  const { ancestors, name, revision } = object.metadata;
  const what = type === 'DELETED' ? `${operation} (removed)` : operation;
  const who = actor === undefined ? '' : `  by ${actor.type} ${actor.id}`;
  const why = reason === undefined ? '' : `: ${reason}`;
  const line = `${time}  ${what}  ${labelOf(object.kind, [...ancestors, name])}@${revision}${who}${why}`;
  return `${printable(line)}\n`;
}
