import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Manner, matches, patternOf, readShellBlocks, type ShellBlock } from './shell-page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A page to run, or only its first blocks. */
export interface PagePart {
  readonly page: string;
  readonly first?: number;
}

interface PageBlock extends ShellBlock {
  readonly page: string;
}

/** The result of one block. */
export interface BlockRun extends PageBlock {
  readonly printed: string;
}

/** How long one run may take. */
const timeoutMs = 580_000;

/** How often a block is run that is repeated until it prints what the page shows; half a second apart. */
const attempts = 60;

/** Runs one page; see {@link runPages}. */
export function runPage(page: string, env: Readonly<Record<string, string>>): Promise<BlockRun[]> {
  return runPages([{ page }], env);
}

/**
 * Runs the `sh` blocks of pages of the repository in one shell, one after the other, as a reader would type them, in the root of the
 * repository; a block in a terminal of its own begins with the environment that the first page began with. With `PORT` in `env`, the
 * pages' `localhost:8080` is that port; with `PLATFORM__DATABASE__DATA_DIR`, their `.platform/` is that directory. Throws when a block fails, takes too long or prints something else than its page shows, with
 * what it printed. Whatever the pages started and left running is ended.
 */
export async function runPages(
  parts: readonly PagePart[],
  env: Readonly<Record<string, string>>,
): Promise<BlockRun[]> {
  const blocks = parts.flatMap((part) => blocksOf(part, env));
  const directory = mkdtempSync(join(tmpdir(), 'page-'));
  try {
    const status = await runScript(directory, blocks, env);
    const outputs = blocks.map((_, index) => readOutput(directory, index));
    const runs = blocks.flatMap((block, index) => {
      const printed = outputs[index];
      return printed === undefined ? [] : [{ ...block, printed }];
    });
    const differing = runs.slice(0, status === 0 ? undefined : -1).flatMap(differenceOf);
    const { page, line, printed } = runs.at(-1) ?? { page: '', line: 0, printed: '' };
    if (status !== 0) differing.push(`${page}:${line} ended with ${status} and printed\n\n${printed}`);
    if (differing.length > 0) throw new Error(differing.join('\n\n'));
    return runs;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The blocks of a page that are run with it. */
function blocksOf({ page, first }: PagePart, env: Readonly<Record<string, string>>): PageBlock[] {
  const { PORT: port = '8080', PLATFORM__DATABASE__DATA_DIR: data = '.platform' } = env;
  const text = readFileSync(join(root, page), 'utf8');
  const here = text.replaceAll('localhost:8080', `localhost:${port}`).replaceAll(' .platform/', ` ${data}/`);
  return readShellBlocks(here)
    .filter(({ manner }) => isRunHere(manner))
    .slice(0, first)
    .map((block) => ({ page, ...block }));
}

function isRunHere(manner: Manner): boolean {
  if (manner.as === 'where') return isInstalled(manner.program);
  return manner.as !== 'not run' && manner.as !== 'run by';
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((directory) => existsSync(join(directory, program)));
}

// `set -e` is the reader who stops at the first thing that goes wrong.
async function runScript(
  directory: string,
  blocks: readonly ShellBlock[],
  env: Readonly<Record<string, string>>,
) {
  const steps = blocks.map((block, index) => stepOf(join(directory, String(index)), block));
  const shell = spawn(
    'bash',
    ['-c', [`export -p > '${directory}/environment'`, 'set -e -o pipefail', ...steps].join('\n')],
    {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: directory, TMPDIR: directory, LANG: 'C.UTF-8', ...env },
      stdio: 'ignore',
      // A process group of its own, so that what the page left behind can be found.
      detached: true,
    },
  );
  const overdue = setTimeout(() => process.kill(-(shell.pid as number), 'SIGTERM'), timeoutMs);
  const [status] = await once(shell, 'exit');
  clearTimeout(overdue);
  await endGroup(shell.pid as number);
  return status as number | null;
}

/** The lines that run one block, whose files begin with `file`. */
function stepOf(file: string, { script, manner, expected = '' }: ShellBlock): string {
  writeFileSync(`${file}.sh`, script);
  const run = `. '${file}.sh' > '${file}.out' 2>&1`;
  if (manner.as === 'terminal') {
    return `env -i bash -c ". '${join(file, '..')}/environment'; . '${file}.sh'" > '${file}.out' 2>&1 &
until grep -q -F -e '${manner.until.replaceAll("'", "'\\''")}' '${file}.out'; do kill -0 $!; sleep 0.2; done`;
  }
  if (manner.as === 'refused') return `(${run}) && false || [ $? = ${manner.code} ]`;
  if (manner.as !== 'repeated') return run;
  writeFileSync(`${file}.pattern`, patternOf(expected));
  const shows = `const read = (end) => require('fs').readFileSync('${file}.' + end, 'utf8');
process.exit(new RegExp(read('pattern')).test(read('out')) ? 0 : 1)`;
  writeFileSync(`${file}.cjs`, shows);
  return `for attempt in $(seq ${attempts}); do (${run}) || true; node '${file}.cjs' && break; sleep 0.5; done`;
}

async function endGroup(pid: number): Promise<void> {
  const isGone = (signal: NodeJS.Signals | 0) => {
    try {
      process.kill(-pid, signal);
      return false;
    } catch {
      return true;
    }
  };
  if (isGone('SIGTERM')) return;
  for (const deadline = performance.now() + 20_000; performance.now() < deadline; ) {
    if (isGone(0)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  isGone('SIGKILL');
}

/** The output of a block; undefined when it was never reached. */
function readOutput(directory: string, index: number): string | undefined {
  try {
    return readFileSync(join(directory, `${index}.out`), 'utf8');
  } catch {
    return undefined;
  }
}

function differenceOf({ page, line, printed, expected }: BlockRun): string[] {
  if (expected === undefined || matches(expected, printed)) return [];
  return [`${page}:${line} shows\n\n${expected}\nbut its command printed\n\n${printed}`];
}
