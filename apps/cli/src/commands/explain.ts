import { labelOf, labelOfItem, readTarget, requireItem } from '../kinds/target.ts';
import { type Identity, shortLabel } from '../relations/deletion-plan.ts';
import { type Cause, changeLine, type Explanation, readExplanation } from '../relations/explanation.ts';
import type { CommandContext, Register } from './command-context.ts';
import { withinOption } from './options.ts';

/** `explain`: why a resource is in its state, and who can end what keeps it. */
export const registerExplain: Register = (program, contextOf) => {
  program
    .command('explain <target...>')
    .description('say what keeps a deleted resource and who can end it, or what a resource depends on')
    .addOption(withinOption())
    .option('-o, --output <format>', 'json: the answer of the server')
    .action(async (words, { in: within, output }, command) => {
      const ctx = contextOf(command);
      const target = requireItem(ctx.client, readTarget(await ctx.catalog(), words, within));
      const resource = await target.collection.get(target.key, { signal: ctx.signal });
      const { text, explanation } = await readExplanation(
        ctx.client,
        target.collection,
        resource.metadata.uid,
        ctx.signal,
      );
      if (output === 'json') ctx.out(`${text}\n`);
      else print(ctx, labelOfItem(target, resource), explanation);
    });
};

function print(
  ctx: CommandContext,
  label: string,
  { causes, owners, dependents, changes = [], truncated }: Explanation,
): void {
  if (causes === undefined) {
    ctx.out(`${label} is live\n`);
    for (const { relationship, ...identity } of [...(owners ?? []), ...(dependents ?? [])])
      ctx.out(`  ${relationship}: ${shortLabel(identity)}\n`);
    for (const change of changes) ctx.out(`  ${changeLine(change)}\n`);
  } else {
    ctx.out(`${label} is being deleted\n`);
    for (const cause of causes) printCause(ctx, cause);
  }
  if (truncated) ctx.err('There is more; only the nearest is shown.\n');
}

function printCause(ctx: CommandContext, { kind, path, since, detail, action }: Cause): void {
  ctx.out(`  ${kind}: ${path.map(shortLabel).join(' > ')}\n    since ${since}: ${detail}\n`);
  if (action === undefined) return;
  const { method, path: at, body, who } = action;
  const actor = who.id === undefined ? who.type : `${who.type} ${who.id}`;
  // The body that removes an annotation is the whole resource; the command for it is shorter.
  const request =
    kind === 'protected'
      ? `platform unprotect ${lastLabel(path)}`
      : `${method} ${at} ${ctx.client.json.stringify(body)}`;
  ctx.out(`    as ${actor}: ${request}\n`);
}

function lastLabel(path: readonly Identity[]): string {
  const last = path.at(-1);
  return last === undefined ? '' : labelOf(last.kind, [`uid:${last.uid}`]);
}
