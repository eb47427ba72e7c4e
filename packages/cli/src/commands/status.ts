import { readFileSync } from 'node:fs';
import { Failure } from '../failure.ts';
import { labelOfItem, readTarget, requireItem } from '../kinds/target.ts';
import { fromYaml } from '../output/yaml.ts';
import type { Register, Workbench } from './command.ts';

/** `status` and `finalizers`: the two subresources that controllers write. */
export const registerStatus: Register = (program, benchOf) => {
  const status = program.command('status').description('write status slots');
  status
    .command('set <target...>')
    .description(
      'write a slot; yours without --slot. The value is YAML or JSON: --value, --file, or standard input',
    )
    .option('-i, --in <names>', 'names of ancestors, the root-most first')
    .option('-v, --value <yaml>', 'the value')
    .option('-f, --file <file>', 'a file with the value; - is standard input')
    .option('-s, --slot <id>', 'the slot of another writer')
    .action(async (words, { in: within, value, file, slot }, command) => {
      const bench = benchOf(command);
      const read = await readValue(bench, value, file);
      const target = requireItem(bench.client, readTarget(await bench.catalog(), words, within));
      const stored = await target.collection.setStatus(target.key, read, { slot, signal: bench.signal });
      bench.out(`${labelOfItem(target, stored)}: status written, revision ${stored.metadata.revision}\n`);
    });
  status
    .command('clear <target...>')
    .description('remove a slot')
    .option('-i, --in <names>', 'names of ancestors, the root-most first')
    .requiredOption('-s, --slot <id>', 'the slot')
    .action(async (words, { in: within, slot }, command) => {
      const bench = benchOf(command);
      const target = requireItem(bench.client, readTarget(await bench.catalog(), words, within));
      const stored = await target.collection.clearStatus(target.key, slot, { signal: bench.signal });
      bench.out(
        `${labelOfItem(target, stored)}: slot ${slot} removed, revision ${stored.metadata.revision}\n`,
      );
    });
  const finalizers = program.command('finalizers').description('add and remove finalizers');
  for (const verb of ['add', 'remove'] as const) {
    finalizers
      .command(`${verb} <target> <finalizer...>`)
      .description(verb === 'add' ? 'hold a resource' : 'let a resource go')
      .option('-i, --in <names>', 'names of ancestors, the root-most first')
      .action(async (word, names, { in: within }, command) => {
        const bench = benchOf(command);
        const target = requireItem(bench.client, readTarget(await bench.catalog(), [word], within));
        const { signal } = bench;
        const stored = await target.collection.changeFinalizers(target.key, { [verb]: names }, { signal });
        const { finalizers: held } = stored.metadata;
        bench.out(`${labelOfItem(target, stored)}: finalizers ${held.join(', ') || 'none'}\n`);
      });
  }
};

async function readValue(
  { terminal }: Workbench,
  value: string | undefined,
  file: string | undefined,
): Promise<unknown> {
  if (value !== undefined && file !== undefined) throw new Failure('usage', 'either --value or --file');
  const source = value === undefined ? (file ?? '-') : '--value';
  const text = value ?? (source === '-' ? await terminal.readInput() : readFileSync(source, 'utf8'));
  const [read, ...more] =
    /^\s*(null|~)?\s*$/.test(text) && text.trim() !== '' ? [null] : fromYaml(text, source);
  if (read === undefined || more.length > 0)
    throw new Failure('usage', 'the value must be one YAML or JSON document');
  return read;
}
