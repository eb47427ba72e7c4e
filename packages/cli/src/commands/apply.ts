import { type Applied, type ApplyParts, applyOne } from '../documents/apply-one.ts';
import type { ResourceDocument } from '../documents/document.ts';
import { readDocuments } from '../documents/files.ts';
import { inOrder, registeredBy } from '../documents/order.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Failure, failureOf } from '../failure.ts';
import { diffOf } from '../output/diff.ts';
import { toYaml } from '../output/yaml.ts';
import { tell } from '../tell.ts';
import type { Register, Workbench } from './command.ts';

interface ApplyOptions {
  readonly file: readonly string[];
  readonly recursive?: boolean;
  readonly in?: string;
  readonly dryRun?: boolean;
  readonly diff: boolean;
}

/** `apply`: makes the platform hold what files say. */
export const registerApply: Register = (program, benchOf) => {
  program
    .command('apply')
    .description('create or change resources as files say, and show what changes')
    .requiredOption('-f, --file <path...>', 'files and directories of YAML or JSON; - is standard input')
    .option('-R, --recursive', 'directories below directories too')
    .option('-i, --in <names>', 'names of ancestors, for documents without "in"')
    .option('-n, --dry-run', 'only show what would change')
    .option('--no-diff', 'do not show what changes')
    .action((options: ApplyOptions, command) => apply(benchOf(command), options));
};

async function apply(
  bench: Workbench,
  { file, recursive = false, in: within, dryRun = false, diff }: ApplyOptions,
): Promise<void> {
  const documents = await readDocuments(file, { recursive, terminal: bench.terminal });
  const registered = documents.map(registeredBy).filter((kind) => kind !== null);
  const catalog = (await bench.catalog()).with(registered);
  const parts: ApplyParts = {
    client: bench.client,
    catalog,
    dryRun,
    within: within === undefined ? [] : within.split('/'),
    signal: bench.signal,
  };
  const failures: Failure[] = [];
  for (const document of inOrder(documents, catalog)) {
    const failure = await applyAndTell(bench, document, parts, diff);
    if (failure !== null) failures.push(failure);
    // Without the platform or a session, every other document fails in the same way.
    if (failure?.exit === 'unavailable' || failure?.exit === 'unauthenticated') break;
  }
  if (failures[0] !== undefined) bench.finish(exitCodes[failures[0].exit]);
}

async function applyAndTell(
  bench: Workbench,
  document: ResourceDocument,
  parts: ApplyParts,
  diff: boolean,
): Promise<Failure | null> {
  try {
    const applied = await applyOne(document, parts);
    bench.out(`${applied.label} ${applied.outcome}${parts.dryRun ? ' (dry run)' : ''}\n`);
    if (diff) bench.out(changeOf(applied, bench));
    return null;
  } catch (error) {
    bench.signal.throwIfAborted();
    const failure = failureOf(error);
    tell(bench.terminal, failure, document.source);
    return failure;
  }
}

function changeOf({ before, after, outcome }: Applied, { colors }: Workbench): string {
  // What is new is in the file.
  return outcome === 'configured' && before !== null ? diffOf(toYaml(before), toYaml(after), colors) : '';
}
