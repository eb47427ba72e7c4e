import { Session } from 'node:inspector/promises';

/** How often a process looks whether it has become idle (milliseconds). */
const lookEveryMs = 10_000;

/** A process that used less than this part of one core since the last look is idle. */
const idleShare = 0.05;

/**
 * Frees the memory of dead objects and shrinks the heap. V8 collects only when it needs room, so an idle process would never return it.
 * Call it before the process reports that it is ready, which frees the memory that loading the program has used. The inspector protocol
 * is the one documented way to request a collection that also shrinks the heap; it opens no debugger and no port.
 */
export async function releaseMemory(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}

/** Whether a process has become idle after load, from the CPU time that it used between two looks. */
export class IdleAfterLoad {
  #loaded = false;

  /** `cpuMs` of CPU time were used in `ms`; true once after each load. */
  look(cpuMs: number, ms: number): boolean {
    const isIdle = cpuMs < idleShare * ms;
    const ended = isIdle && this.#loaded;
    this.#loaded = !isIdle;
    return ended;
  }
}

/** Releases memory whenever load has ended, until `stopping`. The collection of garbage stops a process that has nothing to do. */
export function releaseMemoryAfterLoad(stopping: AbortSignal): void {
  const idle = new IdleAfterLoad();
  let used = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    if (idle.look((user + system) / 1_000, lookEveryMs)) void releaseMemory();
  }, lookEveryMs).unref();
  stopping.addEventListener('abort', () => clearInterval(timer), { once: true });
}
