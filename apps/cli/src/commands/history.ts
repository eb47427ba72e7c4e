import { Option } from 'commander';
import { Failure } from '../failure.ts';
import { losslessJson } from '../json.ts';
import { pathOf } from '../kinds/kind.ts';
import { labelOf, readTarget, requireItem, type Target } from '../kinds/target.ts';
import { ageOf } from '../output/format.ts';
import { table } from '../output/table.ts';
import type { CommandContext, Register } from './command-context.ts';
import { readCount, withinOption } from './options.ts';

interface Entry {
  readonly revision: number;
  readonly time: string;
  readonly operation: string;
  readonly removed: boolean;
  readonly actor: { readonly type: string; readonly id: string };
  readonly reason?: string;
  /** Null when the change log does not reach back to the revision before. */
  readonly changes: readonly { readonly path: string }[] | null;
}

interface Options {
  readonly in?: string;
  readonly limit: number;
  readonly output: 'table' | 'json';
}

/** The most entries of one request. */
const maxPage = 500;

/** `history` and `removed`: the revisions of a resource, and the resources that are gone. */
export const registerHistory: Register = (program, contextOf) => {
  const format = () =>
    new Option('-o, --output <format>', 'output format').choices(['table', 'json']).default('table');
  program
    .command('history <target...>')
    .description('show the revisions of a resource, newest first; with uid:<uuid> also after its removal')
    .addOption(withinOption())
    .option('-l, --limit <count>', 'show at most this many', readCount, 20)
    .addOption(format())
    .action(async (words: string[], options: Options, command) => {
      const ctx = contextOf(command);
      const target = requireItem(ctx.client, readTarget(await ctx.catalog(), words, options.in));
      const entries = await readHistory(ctx, target.collection.path(target.key, 'history'), options.limit);
      ctx.out(options.output === 'json' ? losslessJson.pretty(entries) : historyTable(ctx, entries));
    });
  program
    .command('removed <target...>')
    .description('list the resources that were removed from a collection, newest first')
    .addOption(withinOption())
    .option('-l, --limit <count>', 'show at most this many', readCount, 20)
    .addOption(format())
    .action(async (words: string[], options: Options, command) => {
      const ctx = contextOf(command);
      const target = readTarget(await ctx.catalog(), words, options.in);
      requireCollection(target);
      const { kind, version, names } = target;
      const collection = ctx.client.resources(pathOf(kind, version)).in(...names);
      const found = [];
      for await (const item of collection.removed({
        limit: Math.min(options.limit, 1000),
        signal: ctx.signal,
      })) {
        found.push(item);
        if (found.length >= options.limit) break;
      }
      if (options.output === 'json') return ctx.out(losslessJson.pretty(found));
      const rows = found.map(({ metadata, removedAt, actor }) => [
        labelOf(kind.kind, [...metadata.ancestors, metadata.name]),
        ageOf(removedAt, ctx.now),
        `${actor.type} ${actor.id}`,
        metadata.uid,
      ]);
      ctx.out(table(['NAME', 'REMOVED', 'BY', 'UID'], rows));
    });
};

/** Throws a Failure when the target is a resource, or names of its ancestors are missing. */
function requireCollection({ kind, within, names, uid }: Target): void {
  if (uid === undefined && names.length === within.length) return;
  const shape = [kind.plural, ...within.map((ancestor) => `<${ancestor.kind.toLowerCase()}>`)].join('/');
  const isShort = uid === undefined && names.length < within.length;
  throw new Failure(
    'usage',
    isShort ? `the ancestors of the ${kind.plural} are missing` : 'this command lists a collection',
    `expected ${shape}`,
  );
}

async function readHistory(ctx: CommandContext, path: string, limit: number): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let next: string | undefined;
  do {
    const query = { limit: Math.min(limit - entries.length, maxPage), continue: next };
    const { text } = await ctx.client.send({ method: 'GET', path, query, signal: ctx.signal });
    const page = losslessJson.parse(text) as {
      readonly metadata: { readonly continue?: string };
      readonly items: readonly Entry[];
    };
    entries.push(...page.items);
    next = page.metadata.continue;
  } while (next !== undefined && entries.length < limit);
  return entries;
}

function historyTable(ctx: CommandContext, entries: readonly Entry[]): string {
  const rows = entries.map(({ revision, time, operation, removed, actor, reason, changes }) => [
    `${revision}`,
    ageOf(time, ctx.now),
    removed ? `${operation} (removed)` : operation,
    `${actor.type} ${actor.id}`,
    changedIn(changes),
    reason ?? '',
  ]);
  return table(['REVISION', 'AGE', 'OPERATION', 'BY', 'CHANGED', 'REASON'], rows);
}

/** Every write changes them. */
const counters = ['metadata/revision', 'metadata/generation'];

/** The changed members, up to three: `spec/size, metadata/labels/app`. */
function changedIn(changes: Entry['changes']): string {
  if (changes === null) return 'not known';
  const paths = [...new Set(changes.map(({ path }) => path.slice(1)))].filter(
    (path) => !counters.includes(path),
  );
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  return `${paths.slice(0, 3).join(', ')}${more}`;
}
