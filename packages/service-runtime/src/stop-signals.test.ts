import { execFileSync } from 'node:child_process';
import { buildOnce } from '@platform/development/testing';

beforeAll(() => buildOnce(), 120_000);

const file = new URL('../dist/stop-signals.js', import.meta.url).href;

/** Runs these lines in a program that then gives way to the event loop. Returns what it prints. */
function run(lines: string): string {
  const program = `import { exitOnStopSignals, onStopSignals } from '${file}';
    setTimeout(() => console.log('goes on'), 2_000);
    ${lines}`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
}

it('a signal ends a service that still loads its code', () => {
  expect(run(`exitOnStopSignals(); process.kill(process.pid, 'SIGTERM');`)).toBe('');
});

it('a signal that comes while code is loaded stops the service that it becomes', () => {
  const lines = `exitOnStopSignals();
    process.kill(process.pid, 'SIGTERM');
    onStopSignals((signal) => { console.log(signal); process.exit(); });`;
  expect(run(lines)).toBe('SIGTERM\n');
});
