import { StorageUnavailable } from '@platform/kernel';
import { runSwitch } from './run-switch.ts';

let pausedSince: string | null = null;
const collector = {
  async pause() {
    pausedSince = '2026-01-01T00:00:00.000Z';
    return { pausedSince };
  },
  async resume() {
    pausedSince = null;
  },
  state: async () => ({ pausedSince, leader: 'host/1' }),
};

async function run(args: readonly string[], target = collector) {
  const told = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof told) => ({
    write: (text: string) => {
      told[name] += text;
    },
  });
  const code = await runSwitch(target, args, { stdout: stream('stdout'), stderr: stream('stderr') });
  return { code, ...told };
}

describe('pausing the collector from the image', () => {
  it('pauses, resumes, and tells how it stands', async () => {
    expect((await run([])).stdout).toBe('running, leader: host/1\n');
    expect((await run(['pause'])).stdout).toBe('paused since 2026-01-01T00:00:00.000Z, leader: host/1\n');
    expect(await run(['resume'])).toEqual({ code: 0, stdout: 'running, leader: host/1\n', stderr: '' });
  });

  it('does nothing when it does not understand', async () => {
    expect(await run(['stop'])).toMatchObject({ code: 2, stdout: '' });
    expect(await run(['pause', 'now'])).toMatchObject({ code: 2, stdout: '' });
    expect(pausedSince).toBeNull();
  });

  it('ends with 2 when the database does not answer, and says why', async () => {
    const outage = new StorageUnavailable(
      'The database cannot be reached.',
      new Error('connect ECONNREFUSED'),
    );
    const target = { ...collector, state: () => Promise.reject(outage) };
    const stderr = 'The database cannot be reached: connect ECONNREFUSED\n';
    expect(await run([], target)).toEqual({ code: 2, stdout: '', stderr });
  });
});
