import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Collection, ItemKey, Resource } from '@platform/client';
import { readDocument } from '../documents/document.ts';
import { decided } from '../documents/merge.ts';
import { Failure, failureOf } from '../failure.ts';
import { sameJson } from '../json.ts';
import { labelOfItem, readTarget, requireItem } from '../kinds/target.ts';
import { diffOf } from '../output/diff.ts';
import { fromYaml, toYaml } from '../output/yaml.ts';
import type { Register, Workbench } from './command.ts';

/** `edit`: a resource in the editor. */
export const registerEdit: Register = (program, benchOf) => {
  program
    .command('edit <target...>')
    .description('change a resource in $VISUAL or $EDITOR')
    .option('-i, --in <names>', 'names of ancestors, the root-most first')
    .action(async (words, { in: within }, command) => {
      const bench = benchOf(command);
      const target = requireItem(bench.client, readTarget(await bench.catalog(), words, within));
      const stored = await target.collection.get(target.key, { signal: bench.signal });
      const label = labelOfItem(target, stored);
      const directory = mkdtempSync(join(tmpdir(), 'platform-edit-'));
      try {
        await editAndSend(bench, target, stored, label, join(directory, `${stored.metadata.name}.yaml`));
        rmSync(directory, { recursive: true });
      } catch (error) {
        const { exit, message, details } = failureOf(error);
        throw new Failure(exit, message, `what you wrote is kept in ${directory}`, details);
      }
    });
};

const comment = (lines: readonly string[]) => lines.map((line) => `# ${line}\n`).join('');

async function editAndSend(
  bench: Workbench,
  { collection, key }: { collection: Collection; key: ItemKey },
  stored: Resource,
  label: string,
  file: string,
): Promise<void> {
  const original = { ...decided(stored) };
  let content = toYaml(original);
  let remarks = [
    `${label}, revision ${stored.metadata.revision}. An empty file, or one without changes, leaves it as it is.`,
  ];
  for (;;) {
    writeFileSync(file, comment(remarks) + content, { mode: 0o600 });
    await runEditor(bench, file);
    const edited = readFileSync(file, 'utf8').replace(/^(#.*\n)+/, '');
    if (edited.trim() === '' || edited === toYaml(original)) {
      bench.out(`${label} unchanged\n`);
      return;
    }
    // Saved again as it was refused: enough of it.
    if (edited === content) throw new Failure('invalid', `${label}: ${remarks[0]}`);
    content = edited;
    try {
      await send(bench, collection, key, stored, edited, label);
      return;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.exit !== 'invalid') throw error;
      remarks = [failure.message, ...failure.details, 'Mend it and save, or save it as it is to give up.'];
      bench.err(`${failure.message}\n`);
    }
  }
}

async function send(
  bench: Workbench,
  collection: Collection,
  key: ItemKey,
  stored: Resource,
  edited: string,
  label: string,
): Promise<void> {
  const [value, ...more] = fromYaml(edited, 'the file');
  if (more.length > 0) throw new Failure('invalid', 'the file must hold one document');
  const { whole, metadata } = readDocument(value, 'the file');
  // The revision that was read: what somebody else changed meanwhile is not overwritten.
  const body = {
    ...whole,
    metadata: { ...metadata, revision: stored.metadata.revision },
  } as unknown as Resource;
  if (sameJson(decided(body), decided(stored))) {
    bench.out(`${label} unchanged\n`);
    return;
  }
  await collection.replace(body, { key, signal: bench.signal });
  bench.out(`${label} configured\n${diffOf(toYaml(decided(stored)), toYaml(decided(body)), bench.colors)}`);
}

async function runEditor({ terminal }: Workbench, file: string): Promise<void> {
  const { env } = terminal;
  // The variable may hold arguments: `code --wait`.
  const command = (env['VISUAL'] || env['EDITOR'] || 'vi').split(/\s+/);
  const code = await terminal.spawn([...command, file], env);
  if (code !== 0) throw new Failure('failed', `${command[0]} ended with ${code}`);
}
