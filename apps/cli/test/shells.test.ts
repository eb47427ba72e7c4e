import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { buildOnce } from '@platform/development/testing';
import { CliFixture } from './cli-fixture.ts';
import { given, registerSites } from './sites.ts';

// Uses real shells if they are installed. bash and zsh complete only on a terminal, which util-linux `script` provides.
const installed = (program: string) => spawnSync('which', [program]).status === 0;
const missing = (...programs: string[]) => programs.filter((program) => !installed(program));
const whenThere = (shell: string, ...programs: string[]) => {
  const without = missing(shell, ...programs);
  return without.length === 0
    ? (name: string, run: () => Promise<void>) => it(name, run, 180_000)
    : (name: string, run: () => Promise<void>) =>
        it.skip(`${name}: ${without.join(' and ')} not installed`, run);
};

const root = fileURLToPath(new URL('../../../', import.meta.url));
const cli = new CliFixture();
const bin = join(cli.home, 'bin');

beforeAll(async () => {
  await buildOnce();
  mkdirSync(bin);
  const program = `#!/bin/sh\nexec '${process.execPath}' '${root}apps/cli/platform.mjs' "$@"\n`;
  writeFileSync(join(bin, 'platform'), program, { mode: 0o700 });
  writeFileSync(join(cli.home, 'site.yaml'), '');
  await registerSites(cli);
  for (const path of ['blog', 'blog/news', 'blog/news/hello']) await given(cli, path);
}, 120_000);

function environment() {
  const { PATH } = process.env;
  return {
    PATH: `${bin}${delimiter}${PATH}`,
    HOME: cli.home,
    TERM: 'dumb',
    LC_ALL: 'C.UTF-8',
    PLATFORM_URL: cli.api.publicUrl,
    PLATFORM_TOKEN: cli.api.session('operator'),
  };
}

// The typed keys, with Tab as \t, and the resulting command line.
const lines = [
  ['get pag\tblog/ne\thel\t', 'get pages blog/news/hello'],
  ['get --output=ya\t', 'get --output=yaml'],
  ['final\tad\t', 'finalizers add'],
  ['apply -f site.y\t', 'apply -f site.yaml'],
] as const;

/** Types into an interactive shell, each line made a call of `shown`, which prints its words; returns what was printed. */
async function typed(shell: readonly string[], setUp: string): Promise<string[]> {
  const child = spawn('script', ['-qfec', shell.join(' '), '/dev/null'], {
    env: environment(),
    cwd: cli.home,
  });
  let screen = '';
  const waiting: (() => void)[] = [];
  child.stdout.on('data', (chunk) => {
    screen += chunk;
    for (const look of waiting.splice(0)) look();
  });
  const until = async (mark: string) => {
    while (!screen.includes(mark)) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  child.stdin.write(`${setUp}; shown() { printf '\\n%s,' SHOWN "$@"; echo END; }; echo REA""DY\r`);
  await until('READY');
  const found: string[] = [];
  for (const [keys] of lines) {
    screen = '';
    child.stdin.write(`platform ${keys}\u0001shown \r`);
    await until('END');
    const words = /SHOWN,\s+platform,([\s\S]*?)END/.exec(screen)?.[1] ?? screen;
    found.push(
      words
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')
        .join(' '),
    );
  }
  child.stdin.end('exit\r');
  return found;
}

describe('completion in real shells', () => {
  whenThere('bash', 'script')('bash, without bash-completion, and sourced twice', async () => {
    const source = 'source <(platform completion bash)';
    expect(await typed(['bash', '--norc', '--noprofile', '-i'], `${source}; ${source}`)).toEqual(
      lines.map(([, line]) => line),
    );
  });

  whenThere('zsh', 'script')('zsh', async () => {
    const setUp = 'bindkey -e; autoload -U compinit; compinit -D; source <(platform completion zsh)';
    expect(await typed(['zsh', '-f', '-i'], setUp)).toEqual(lines.map(([, line]) => line));
  });

  whenThere('fish')('fish', async () => {
    const offered = async (line: string) => {
      const program = `platform completion fish | source; complete -C 'platform ${line}'`;
      const fish = spawn('fish', ['--no-config', '-c', program], { env: environment(), cwd: cli.home });
      return (await text(fish.stdout))
        .trimEnd()
        .split('\n')
        .map((each) => each.split('\t')[0]);
    };
    expect(await offered('get si')).toEqual(['sites']);
    expect(await offered('get pages blog/n')).toEqual(['blog/news/']);
    expect(await offered('describe page blog news ')).toEqual(['hello']);
    expect(await offered('get --output=ya')).toEqual(['--output=yaml']);
    expect(await offered('apply -f site.y')).toEqual(['site.yaml']);
  });
});
