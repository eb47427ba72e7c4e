import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { matches, patternOf, readShellBlocks, type ShellBlock } from './shell-page.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What one block did. */
export interface BlockRun extends ShellBlock {
  readonly printed: string;
}

/** How long a page may take. */
const patienceMs = 240_000;

/** How often a block is run that is repeated until it prints what the page shows; half a second apart. */
const attempts = 60;

/**
 * Runs the `sh` blocks of a page of the repository in one shell, one after the other, as a reader would type them, in the root of the
 * repository; a block in a terminal of its own begins with the environment that the page began with. With `PORT` in `env`, the page's
 * `localhost:8080` is that port. Throws when a block fails, takes too long or prints something else than the page shows, with what
 * it printed. Whatever the page started and left running is ended.
 */
export async function runPage(path: string, env: Readonly<Record<string, string>>): Promise<BlockRun[]> {
  const page = readFileSync(join(root, path), 'utf8');
  const here =
    env['PORT'] === undefined ? page : page.replaceAll('localhost:8080', `localhost:${env['PORT']}`);
  const blocks = readShellBlocks(here).filter(({ manner: { as } }) => as !== 'not run' && as !== 'run by');
  const directory = mkdtempSync(join(tmpdir(), 'page-'));
  try {
    const status = await runScript(directory, blocks, env);
    const outputs = blocks.map((_, index) => readOutput(directory, index));
    const runs = blocks.flatMap((block, index) => {
      const printed = outputs[index];
      return printed === undefined ? [] : [{ ...block, printed }];
    });
    const differing = runs.slice(0, status === 0 ? undefined : -1).flatMap((run) => differenceOf(path, run));
    const { line, printed } = runs.at(-1) ?? { line: 0, printed: '' };
    if (status !== 0) differing.push(`${path}:${line} ended with ${status} and printed\n\n${printed}`);
    if (differing.length > 0) throw new Error(differing.join('\n\n'));
    return runs;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
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
  const overdue = setTimeout(() => process.kill(-(shell.pid as number), 'SIGTERM'), patienceMs);
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
until grep -q -F -e '${manner.until.replaceAll("'", "'\\''")}' '${file}.out'; do kill -0 $! && sleep 0.2; done`;
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

/** What a block printed; undefined when it was never reached. */
function readOutput(directory: string, index: number): string | undefined {
  try {
    return readFileSync(join(directory, `${index}.out`), 'utf8');
  } catch {
    return undefined;
  }
}

function differenceOf(path: string, { line, printed, expected }: BlockRun): string[] {
  if (expected === undefined || matches(expected, printed)) return [];
  return [`${path}:${line} shows\n\n${expected}\nbut its command printed\n\n${printed}`];
}
