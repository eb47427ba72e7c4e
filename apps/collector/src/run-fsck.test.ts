import { type Fsck, readArguments, runFsck } from './run-fsck.ts';

const plain = { json: false, limit: 100, graceSeconds: 300 };
const broken = { findings: [{ check: 'missing_parent' }], report: 'missing_parent: it exists\n' };

async function run(fsck: Fsck, parameters = plain) {
  const told = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof told) => ({ write: (text: string) => (told[name] += text) });
  const code = await runFsck(fsck, parameters, { stdout: stream('stdout'), stderr: stream('stderr') });
  return { code, ...told };
}

describe('fsck, the command', () => {
  it('ends with 0 when every invariant holds', async () => {
    const whole = { findings: [], report: 'every invariant holds\n' };
    expect(await run(async () => whole)).toEqual({ code: 0, stdout: whole.report, stderr: '' });
  });

  it('names the rows and ends with 1 when one does not', async () => {
    expect(await run(async () => broken)).toEqual({ code: 1, stdout: broken.report, stderr: '' });
  });

  it('writes one JSON document when asked to', async () => {
    const { stdout } = await run(async () => broken, { ...plain, json: true });
    expect(JSON.parse(stdout)).toEqual({ findings: broken.findings });
  });

  it('ends with 2 when the database could not be checked', async () => {
    const told = await run(() => Promise.reject(new Error('gone')));
    expect(told).toEqual({ code: 2, stdout: '', stderr: 'the database could not be checked: gone\n' });
  });

  it('reads its arguments, and says what is wrong with them', () => {
    expect(readArguments(['--json', '--limit', '5', '--grace-seconds=60'])).toEqual({
      json: true,
      limit: 5,
      graceSeconds: 60,
    });
    expect(readArguments([])).toEqual(plain);
    for (const bad of [
      ['--limit', 'many'],
      ['--limit', '0'],
      ['--grace-seconds', 'x'],
      ['--what'],
      ['here'],
    ]) {
      expect(readArguments(bad)).toContain('usage: fsck');
    }
  });
});
