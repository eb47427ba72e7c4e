import { Failure } from '../failure.ts';
import { labelOfItem, readTarget, requireItem } from '../kinds/target.ts';
import { fromYaml } from '../output/yaml.ts';
import { readFileOrInput } from '../read-file.ts';
import type { CommandContext, Register } from './command-context.ts';
import { withinOption } from './options.ts';

/** `status`: writes the status slots of a resource. */
export const registerStatus: Register = (program, contextOf) => {
  const status = program.command('status').description('write status slots');
  status
    .command('set <target...>')
    .description(
      'write a status slot, by default your own. The value is YAML or JSON from --value, --file or standard input',
    )
    .addOption(withinOption())
    .option('-v, --value <yaml>', 'the value')
    .option('-f, --file <file>', 'read the value from a file (- for standard input)')
    .option('-s, --slot <id>', 'the slot of another writer')
    .action(async (words, { in: within, value, file, slot }, command) => {
      const ctx = contextOf(command);
      const read = await readValue(ctx, value, file);
      const target = requireItem(ctx.client, readTarget(await ctx.catalog(), words, within));
      const stored = await target.collection.setStatus(target.key, read, { slot, signal: ctx.signal });
      ctx.out(`${labelOfItem(target, stored)}: status written, revision ${stored.metadata.revision}\n`);
    });
  status
    .command('clear <target...>')
    .description('remove a status slot')
    .addOption(withinOption())
    .requiredOption('-s, --slot <id>', 'the slot')
    .action(async (words, { in: within, slot }, command) => {
      const ctx = contextOf(command);
      const target = requireItem(ctx.client, readTarget(await ctx.catalog(), words, within));
      const stored = await target.collection.clearStatus(target.key, slot, { signal: ctx.signal });
      ctx.out(`${labelOfItem(target, stored)}: slot ${slot} removed, revision ${stored.metadata.revision}\n`);
    });
};

async function readValue(
  { terminal }: CommandContext,
  value: string | undefined,
  file: string | undefined,
): Promise<unknown> {
  if (value !== undefined && file !== undefined)
    throw new Failure('usage', '--value and --file cannot be used together');
  const source = value === undefined ? (file ?? '-') : '--value';
  const text = value ?? (await readFileOrInput(source, terminal));
  const [read, ...more] =
    /^\s*(null|~)?\s*$/.test(text) && text.trim() !== '' ? [null] : fromYaml(text, source);
  if (read === undefined || more.length > 0)
    throw new Failure('usage', 'the value must be exactly one YAML or JSON document');
  return read;
}
