import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, startProgram } from './program.ts';

const directory = mkdtempSync(join(tmpdir(), 'program-'));

function start(name: string, code: string) {
  const entry = join(directory, `${name}.mjs`);
  writeFileSync(entry, code);
  return startProgram({ name, entry, cores: undefined, log: join(directory, `${name}.log`) });
}

describe('a program', () => {
  it('that ends unexpectedly is told with the end of its log', async () => {
    const program = start('dying', `console.log('said'); console.error('why'); process.exitCode = 3;`);
    const failure = await messageOf(program).catch((error: Error) => error.message);
    expect(failure).toBe('the program "dying" ended unexpectedly (3); its log ends with:\nsaid\nwhy');
  });

  it('that is asked to end has not failed', async () => {
    const program = start('living', `process.on('message', () => {}); process.send('here');`);
    let failed = false;
    program.failed.catch(() => {
      failed = true;
    });
    expect(await messageOf(program)).toBe('here');
    await program.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(failed).toBe(false);
  });

  it('counts the CPU time of its children as its own', async () => {
    const spin = 'while (process.cpuUsage().user < 300_000);';
    const program = start(
      'primary',
      `import cluster from 'node:cluster';
      process.on('disconnect', () => process.exit());
      if (cluster.isPrimary) cluster.fork().on('message', () => process.send(process.cpuUsage()));
      else { ${spin} process.send('done'); setInterval(() => {}, 1_000); }`,
    );
    const own = await messageOf<NodeJS.CpuUsage>(program);
    const all = program.cpuSeconds();
    await program.stop();
    const ownSeconds = (own.user + own.system) / 1e6;
    if (process.platform === 'linux') expect(all).toBeGreaterThan(ownSeconds + 0.1);
    else expect(all).toBeUndefined();
  });
});
