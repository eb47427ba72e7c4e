import type { PlatformClient } from 'platform-service-client';
import { Failure } from '../failure.ts';
import type { Catalog } from '../kinds/catalog.ts';
import { type ItemTarget, labelOfItem, readTarget, requireItem, shapeOf } from '../kinds/target.ts';
import type { Register } from './command-context.ts';
import { withinOption } from './options.ts';

const commands = [
  { name: 'label', member: 'labels', noun: 'label', description: 'set and remove labels of a resource' },
  {
    name: 'annotate',
    member: 'annotations',
    noun: 'annotation',
    description: 'set and remove annotations of a resource',
  },
] as const;

interface LabelOptions {
  readonly in?: string;
  readonly overwrite?: boolean;
  readonly dryRun?: boolean;
}

/** `label` and `annotate`: `key=value` sets, `key-` removes. */
export const registerLabel: Register = (program, contextOf) => {
  for (const { name, member, noun, description } of commands) {
    program
      .command(`${name} <target...>`)
      .usage('[options] <target> <key=value | key-...>')
      .description(description)
      .option('--overwrite', `change ${member} that have another value`)
      .option('-n, --dry-run', 'let the server check and answer, and change nothing')
      .addOption(withinOption())
      .action(async (words: string[], options: LabelOptions, command) => {
        const ctx = contextOf(command);
        const { overwrite = false, dryRun = false } = options;
        const { target, changes } = splitWords(ctx.client, await ctx.catalog(), words, options.in);
        if (changes.size === 0) {
          const hint = `expected ${shapeOf(target.kind, target.within)} <key>=<value> or <key>-`;
          throw new Failure('usage', `missing argument: ${noun}`, hint);
        }
        const stored = await target.collection.get(target.key, { signal: ctx.signal });
        if (!overwrite) requireNew(stored.metadata[member], changes, noun);
        const patch = { metadata: { [member]: Object.fromEntries(changes) } };
        const after = await target.collection.patch(target.key, patch, { dryRun, signal: ctx.signal });
        const shown = Object.entries(after.metadata[member]).map(([key, value]) => `${key}=${value}`);
        ctx.out(
          `${labelOfItem(target, after)}: ${member} ${shown.join(', ') || 'none'}${dryRun ? ' (dry run)' : ''}\n`,
        );
      });
  }
};

/** The target, and the new value of each key: null removes it. */
function splitWords(
  client: PlatformClient,
  catalog: Catalog,
  words: readonly string[],
  within: string | undefined,
): { readonly target: ItemTarget; readonly changes: ReadonlyMap<string, string | null> } {
  // A name has no `=` and does not end with a hyphen.
  const end = words.findIndex((word, index) => index > 0 && (word.includes('=') || word.endsWith('-')));
  const count = end === -1 ? words.length : end;
  const target = requireItem(client, readTarget(catalog, words.slice(0, count), within));
  const changes = words.slice(count).map((word): [string, string | null] => {
    const mark = word.indexOf('=');
    if (mark > 0) return [word.slice(0, mark), word.slice(mark + 1)];
    if (mark === -1 && word.endsWith('-') && word.length > 1) return [word.slice(0, -1), null];
    throw new Failure('usage', `${word} is neither <key>=<value> nor <key>-`);
  });
  return { target, changes: new Map(changes) };
}

function requireNew(
  stored: Readonly<Record<string, string>>,
  changes: ReadonlyMap<string, string | null>,
  noun: string,
): void {
  const taken = [...changes].filter(
    ([key, value]) => value !== null && Object.hasOwn(stored, key) && stored[key] !== value,
  );
  const [first] = taken;
  if (first === undefined) return;
  throw new Failure(
    'conflict',
    `${noun} ${first[0]} has the value ${stored[first[0]]}`,
    'pass --overwrite to change it',
  );
}
