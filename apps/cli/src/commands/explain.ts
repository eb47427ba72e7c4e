import type { Collection } from 'platform-service-client';
import { labelOfItem, readTarget, requireItem } from '../kinds/target.ts';
import { printable } from '../output/format.ts';
import type { Identity } from '../relations/deletion-plan.ts';
import type { CommandContext, Register } from './command-context.ts';
import { withinOption } from './options.ts';

/** One reason why a deleted resource is still there. */
export interface Cause {
  readonly kind: string;
  readonly path: readonly Identity[];
  readonly since: string;
  readonly detail: string;
  readonly action?: {
    readonly method: string;
    readonly path: string;
    readonly body: unknown;
    readonly who: { readonly type: string; readonly id?: string };
  };
}

/** A parent, an owner or a dependent. */
export interface Relative extends Identity {
  readonly relationship: string;
  readonly blockOwnerDeletion?: boolean;
  readonly deletionTimestamp: string | null;
}

/** An entry of the history. */
export interface Change {
  readonly time: string;
  readonly operation: string;
  readonly revision: number;
  readonly actor: { readonly type: string; readonly id: string };
  readonly reason?: string;
}

/** The answer of `explain`: causes of a tombstone, the others of a live resource. */
export interface Explanation {
  readonly causes?: readonly Cause[];
  readonly owners?: readonly Relative[];
  readonly dependents?: readonly Relative[];
  readonly changes?: readonly Change[];
  readonly truncated?: true;
}

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
      const { text, explanation } = await readExplanation(ctx, target.collection, resource.metadata.uid);
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

/** One entry of the history as a line. */
export function changeLine({ time, operation, revision, actor, reason }: Change): string {
  const why = reason === undefined ? '' : `: ${printable(reason)}`;
  return `revision ${revision}: ${operation} by ${actor.type} ${actor.id} at ${time}${why}`;
}

/** Reads the explanation of a resource. */
export async function readExplanation(
  { client, signal }: CommandContext,
  collection: Collection,
  uid: string,
): Promise<{ readonly text: string; readonly explanation: Explanation }> {
  const { text } = await client.send({ method: 'GET', path: collection.path({ uid }, 'explain'), signal });
  return { text, explanation: client.json.parse(text) as Explanation };
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

/** The notation of an identity, without its ancestors. */
export function shortLabel({ kind, name }: Pick<Identity, 'kind' | 'name'>): string {
  return `${kind.toLowerCase()}/${name}`;
}

function lastLabel(path: readonly Identity[]): string {
  const last = path.at(-1);
  return last === undefined ? '' : `${last.kind.toLowerCase()}/uid:${last.uid}`;
}
