import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { endOf } from './workers.ts';

/** A worker as the primary sees it. */
function worker(pid: number | undefined): Worker & EventEmitter {
  return Object.assign(new EventEmitter(), { process: { pid } }) as unknown as Worker & EventEmitter;
}

describe('the end of a worker', () => {
  it('is its exit, also when a message to it failed before', async () => {
    const killed = worker(7);
    const end = endOf(killed);
    killed.emit('error', new Error('write EPIPE'));
    killed.emit('exit', null, 'SIGKILL');
    expect(await end).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('is the reason when it cannot be started', async () => {
    const never = worker(undefined);
    const end = endOf(never);
    const error = new Error('spawn EAGAIN');
    never.emit('error', error);
    expect(await end).toEqual({ code: null, signal: null, error });
  });
});
