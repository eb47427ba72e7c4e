import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Logger } from '@platform/kernel';
import { decideRestart } from './restart-policy.ts';

/** A process that is kept running. */
export interface Supervised {
  /** Resolves with the reason, for a person, when it cannot be kept running. */
  readonly failed: Promise<string>;
  /** From now on an end is answered by a new start; before, it is a failure. */
  keepRunning(): void;
  /** Asks it to stop, waits, and kills it when it does not. */
  stop(): Promise<void>;
}

/** What supervision needs. */
export interface SupervisionTools {
  readonly logger: Logger;
  readonly clock: Clock;
  /** How long a process may take to stop, in milliseconds. */
  readonly patienceMs: number;
  /** Waits before a new start. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Starts a process and watches over it. */
export function supervise(name: string, start: () => ChildProcess, tools: SupervisionTools): Supervised {
  const { logger, clock, patienceMs, wait = delay } = tools;
  const ends: number[] = [];
  let settled = false;
  let stopping = false;
  let current: { child: ChildProcess; ended: Promise<string> };

  const watch = async (): Promise<string> => {
    for (;;) {
      const child = start();
      current = { child, ended: endOf(child) };
      const how = await current.ended;
      if (stopping) return `${name} has stopped`;
      if (!settled) return `${name} ended before it was ready (${how})`;
      ends.push(clock.now());
      const decision = decideRestart(ends, clock.now());
      if (!decision.restart) return `${name} ended ${ends.length} times, the last time with ${how}`;
      logger.error('a process ended unexpectedly and is started again', { process: name, how, ...decision });
      await wait(decision.delayMs);
      if (stopping) return `${name} has stopped`;
    }
  };

  return {
    failed: watch(),
    keepRunning() {
      settled = true;
    },
    async stop() {
      stopping = true;
      current.child.kill('SIGTERM');
      const overdue = setTimeout(() => {
        logger.error('a process does not stop and is killed', { process: name });
        current.child.kill('SIGKILL');
      }, patienceMs);
      await current.ended;
      clearTimeout(overdue);
    },
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
}
