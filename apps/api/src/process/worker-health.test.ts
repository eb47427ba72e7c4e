import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { recordingLogger, until } from '@platform/development/testing';
import { checkHealth } from './worker-health.ts';

/** A worker as the primary sees it: it answers as long as it is not blocked. */
function worker() {
  const events = new EventEmitter();
  const state = { isBlocked: false, asked: 0, killed: [] as string[] };
  const fake = Object.assign(events, {
    process: { pid: 7, kill: (signal: string) => state.killed.push(signal) },
    isConnected: () => true,
    send: () => {
      state.asked += 1;
      if (!state.isBlocked) setImmediate(() => events.emit('message', { type: 'healthy' }));
    },
  }) as unknown as Worker;
  return { fake, state, exits: () => events.emit('exit') };
}

describe('the health check of a worker', () => {
  it('ends one that leaves all questions without an answer, and the log says so', async () => {
    const { fake, state } = worker();
    const log = recordingLogger();
    state.isBlocked = true;
    checkHealth(fake, log, { everyMs: 10, unanswered: 3 });
    await until(() => state.killed.length > 0);
    expect(state.asked).toBe(3);
    await delay(50);
    expect(state.killed).toEqual(['SIGKILL']);
    expect(log.lines.map(({ message, fields }) => [message, fields])).toEqual([
      ['a worker does not answer and is ended', { pid: 7, seconds: 0.03 }],
    ]);
  });

  it('keeps one that answers again in time, and asks nobody after its exit', async () => {
    const { fake, state, exits } = worker();
    checkHealth(fake, recordingLogger(), { everyMs: 20, unanswered: 3 });
    for (let round = 0; round < 3; round += 1) {
      const before = state.asked;
      state.isBlocked = true;
      await until(() => state.asked === before + 2);
      state.isBlocked = false;
      await until(() => state.asked === before + 4);
    }
    exits();
    const { asked } = state;
    await delay(60);
    expect(state).toMatchObject({ asked, killed: [] });
  });
});
