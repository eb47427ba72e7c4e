import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiProcesses, ready, sessionOf } from '@platform/api/testing/process';
import { buildOnce, testDatabase, timeoutFactor } from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';

const program = fileURLToPath(new URL('../platform.mjs', import.meta.url));
const operator = 'ann@example.dev';
const home = mkdtempSync(join(tmpdir(), 'platform-cli-'));
const database = testDatabase({ migrate: (url) => migrate({ url }) });
const processes = new ApiProcesses(() => database.url);
let url = '';

// The command line and the platform as they are shipped, each in a process of its own.
beforeAll(() => buildOnce(), 300_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));
beforeEach(async () => {
  url = await ready(await processes.start({ PLATFORM__AUTH__OPERATOR_USERS: `[${operator}]` }));
}, 60_000);

const commands: Command[] = [];
afterEach(async () => {
  for (const command of commands.splice(0)) await command.interrupt();
});

/** A command that runs. */
class Command {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly words: string;
  out = '';
  err = '';

  constructor(words: string) {
    this.words = words;
    commands.push(this);
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      PLATFORM_URL: url,
      PLATFORM_TOKEN: sessionOf(operator),
    };
    this.#child = spawn(process.execPath, [program, ...words.split(' ')], { env });
    this.#closed = once(this.#child, 'close');
    this.#child.stdout?.on('data', (chunk) => {
      this.out += chunk;
    });
    this.#child.stderr?.on('data', (chunk) => {
      this.err += chunk;
    });
  }

  /** Waits until it has printed a text; `work` is done again and again meanwhile. */
  async prints(text: string, work: () => Promise<unknown> = () => delay(20)): Promise<void> {
    const end = Date.now() + 30_000 * timeoutFactor;
    while (!this.out.includes(text)) {
      if (Date.now() > end || this.#child.exitCode !== null)
        throw new Error(`${this.words} did not print ${text}: ${this.out}${this.err}`);
      await work();
    }
  }

  /** Its exit code. */
  async ended(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }

  /** Presses Ctrl-C. */
  async interrupt(): Promise<void> {
    this.#child.kill('SIGINT');
    await this.ended();
  }
}

/** Runs a command to its end. */
async function run(words: string): Promise<{ code: number | null; out: string; err: string }> {
  const command = new Command(words);
  const code = await command.ended();
  return { code, out: command.out, err: command.err };
}

async function ok(words: string): Promise<string> {
  const { code, out, err } = await run(words);
  if (code !== 0) throw new Error(`platform ${words} ended with ${code}: ${err}`);
  return out;
}

/** Writes a lamp, with the definition of its kind. */
async function applyLamp(name: string, size: number): Promise<void> {
  const version = { name: 'v1', served: true, storage: true };
  const spec = { group: 'example.dev', kind: 'Lamp', plural: 'lamps', versions: [version] };
  const documents = [
    {
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'ResourceDefinition',
      metadata: { name: 'lamps.example.dev' },
      spec,
    },
    { apiVersion: 'example.dev/v1', kind: 'Lamp', metadata: { name }, spec: { size } },
  ];
  const file = join(home, `${name}.yaml`);
  writeFileSync(file, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
  await ok(`apply -f ${file}`);
}

describe('the command line against a platform in another process', () => {
  it('follows changes: get --watch, wait --for and events -f', async () => {
    await applyLamp('desk', 1);
    const watching = new Command('get lamps --watch');
    await watching.prints('desk');
    const created = new Command('wait lamp/floor --for=create --timeout=60');
    const following = new Command('events -f');
    let size = 1;
    // `events` prints nothing for the state at the beginning, so something is changed until it prints.
    await following.prints('lamp/desk@', async () => {
      size += 1;
      await applyLamp('desk', size);
    });
    await applyLamp('floor', 1);
    expect([await created.ended(), created.out]).toEqual([0, 'lamp/floor exists\n']);
    const deleted = new Command('wait lamp/floor --for=delete --timeout=60');
    await ok('delete lamp/floor --yes');
    expect([await deleted.ended(), deleted.out]).toEqual([0, 'lamp/floor deleted\n']);
    await watching.prints('lamp/floor removed');
    await following.prints('lamp/floor@1');
    await following.prints('delete (removed)');
    expect(following.out).toContain(`by operator ${operator}`);
    for (const command of [watching, following]) {
      await command.interrupt();
      expect(command.err).toBe('');
    }
    const late = await run('wait lamp/desk --for=condition=Ready --timeout=1');
    expect([late.code, late.err]).toEqual([9, expect.stringContaining('condition=Ready')]);
  }, 120_000);

  it('looks back: history, diff, restore and audit', async () => {
    await applyLamp('hall', 1);
    await applyLamp('hall', 2);
    const history = await ok('history lamp/hall');
    expect(history).toMatch(/^REVISION .*\n2 .* spec\/size.*\n1 .* create /);
    const changed = await run('diff lamp/hall 1');
    expect([changed.code, changed.out]).toEqual([
      1,
      expect.stringContaining('lamp/hall from revision 1 to 2\n'),
    ]);
    expect(await run('diff lamp/hall 2')).toMatchObject({ code: 0, out: '' });
    await ok('delete lamp/hall --yes');
    expect((await run('history lamp/hall')).code).toBe(5);
    expect(await ok('restore lamp/hall')).toMatch(/^lamp\/hall restored, uid:\S+\n$/);
    expect(await ok('get lamp/hall -o yaml')).toMatch(/restored-from: \S+.*size: 2/s);
    const records = (await ok('audit --kind Lamp --action resource.restored -o json')).trim().split('\n');
    expect(records.map((record) => JSON.parse(record))).toMatchObject([
      {
        outcome: 'allowed',
        actor: { type: 'operator', id: operator },
        resource: { kind: 'Lamp', name: 'hall' },
      },
    ]);
    expect(await ok('audit --kind Lamp --action resource.deleted')).toContain('hall');
  }, 120_000);
});
