import { PassThrough } from 'node:stream';
import { handleOutputErrors } from './output-errors.ts';

function command() {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const exits: number[] = [];
  handleOutputErrors(2, { stdout, stderr, exit: (code) => exits.push(code) });
  return { stdout, stderr, exits, said: () => String(stderr.read() ?? '') };
}

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('a command whose output cannot be written', () => {
  it('goes on, and keeps its exit code, when the reader has closed the pipe', () => {
    const { stdout, stderr, exits, said } = command();
    stdout.emit('error', failure('EPIPE', 'write EPIPE'));
    stderr.emit('error', failure('EPIPE', 'write EPIPE'));
    expect([exits, said()]).toEqual([[], '']);
  });

  it('says why, and exits with the code for a failure, otherwise', () => {
    const { stdout, exits, said } = command();
    stdout.emit('error', failure('ENOSPC', 'ENOSPC: no space left on device, write'));
    expect([exits, said()]).toEqual([
      [2],
      'the output cannot be written: ENOSPC: no space left on device, write\n',
    ]);
  });
});
