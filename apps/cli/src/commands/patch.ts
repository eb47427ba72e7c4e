import { InvalidArgumentError } from 'commander';
import { Failure } from '../failure.ts';
import { labelOfItem, readTarget, requireItem } from '../kinds/target.ts';
import { fromYaml } from '../output/yaml.ts';
import { readFileOrInput } from '../read-file.ts';
import type { CommandContext, Register } from './command-context.ts';
import { withinOption } from './options.ts';

const types = ['merge', 'json'] as const;

interface PatchOptions {
  readonly in?: string;
  readonly type: (typeof types)[number];
  readonly patch?: string;
  readonly patchFile?: string;
  readonly subresource?: 'status';
  readonly dryRun?: boolean;
}

/** `patch`: changes parts of a resource. */
export const registerPatch: Register = (program, contextOf) => {
  program
    .command('patch <target...>')
    .description('change parts of a resource')
    .option('--type <type>', 'merge (RFC 7396) or json (RFC 6902)', readType, 'merge')
    .option('-p, --patch <patch>', 'the patch, as JSON or YAML')
    .option('--patch-file <file>', 'a file with the patch (- for standard input)')
    .option('--subresource <name>', 'status: patch your status slot', readSubresource)
    .option('-n, --dry-run', 'let the server check and answer, and change nothing')
    .addOption(withinOption())
    .action((words: string[], options: PatchOptions, command) => patch(contextOf(command), words, options));
};

function readType(text: string): string {
  if ((types as readonly string[]).includes(text)) return text;
  throw new InvalidArgumentError(`expected ${types.join(' or ')}.`);
}

function readSubresource(text: string): string {
  if (text === 'status') return text;
  throw new InvalidArgumentError('expected status.');
}

async function patch(
  ctx: CommandContext,
  words: readonly string[],
  { in: within, type, patch: inline, patchFile, subresource, dryRun = false }: PatchOptions,
): Promise<void> {
  if (inline !== undefined && patchFile !== undefined)
    throw new Failure('usage', '--patch and --patch-file exclude each other', 'pass one of them');
  if (inline === undefined && patchFile === undefined)
    throw new Failure('usage', 'missing option: --patch or --patch-file', 'pass one of them');
  const text = inline ?? (await readFileOrInput(patchFile as string, ctx.terminal));
  const [value, ...more] = fromYaml(text, patchFile ?? '--patch');
  const fits = type === 'json' ? Array.isArray(value) : typeof value === 'object' && !Array.isArray(value);
  if (more.length > 0 || value === undefined || value === null || !fits) {
    const expected = type === 'json' ? 'a list of operations' : 'an object';
    throw new Failure('invalid', `a patch of type ${type} must be ${expected}`);
  }
  const target = requireItem(ctx.client, readTarget(await ctx.catalog(), words, within));
  const options = { dryRun, signal: ctx.signal, ...(subresource === undefined ? {} : { subresource }) };
  const stored = await target.collection.patch(target.key, value as object, options);
  const note = dryRun ? ' (dry run)' : '';
  ctx.out(`${labelOfItem(target, stored)} patched, revision ${stored.metadata.revision}${note}\n`);
}
