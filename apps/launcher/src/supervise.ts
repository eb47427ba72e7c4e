import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { backoff, type Clock, type Logger } from '@platform/kernel';

const restartWindowMs = 60_000;
const maxRestartsInWindow = 5;
/** The longest delay is not reached before the launcher gives up. */
const restartDelay = { firstMs: 500, longestMs: 60_000 };

/** A process that is kept running. */
export interface Supervised {
  /** Resolves with the reason when the process cannot be kept running. */
  readonly failed: Promise<string>;
  /** From now on, restarts the process if it exits. Before, an exit is a failure. */
  keepRunning(): void;
  /** Sends SIGTERM and waits; kills the process if it does not stop in time. */
  stop(): Promise<void>;
}

/** The dependencies of {@link supervise}. */
export interface SuperviseDeps {
  readonly logger: Logger;
  readonly clock: Clock;
  /** How long a process may take to stop, in milliseconds. */
  readonly stopTimeoutMs: number;
  /** Waits before a restart. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Starts a process and restarts it when it exits. */
export function supervise(name: string, start: () => ChildProcess, deps: SuperviseDeps): Supervised {
  const { logger, clock, stopTimeoutMs, wait = delay } = deps;
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
      }, stopTimeoutMs);
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

/** The reaction to an unexpected exit. */
export type RestartDecision =
  | { readonly restart: true; readonly delayMs: number }
  | { readonly restart: false };

/**
 * Decides from the times of the unexpected exits, the latest last: restart with exponential backoff, or give up after the sixth exit
 * within a minute.
 */
export function decideRestart(ends: readonly number[], now: number): RestartDecision {
  const recent = ends.filter((end) => end > now - restartWindowMs).length;
  if (recent > maxRestartsInWindow) return { restart: false };
  return { restart: true, delayMs: backoff(recent - 1, restartDelay) };
}
