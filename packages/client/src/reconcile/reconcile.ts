import { sleep } from '../timers.ts';
import { backOffDelay, defaultBackOff } from './back-off.ts';
import { Observer } from './observer.ts';
import type { ReconcileOptions } from './options.ts';
import { WorkQueue } from './work-queue.ts';
import { Worker } from './worker.ts';

/**
 * Runs a controller until `signal` is aborted. It lists its kind and looks at what is being deleted, and works on what has changed:
 * each resource on its own, read again before, its finalizer held before anything is done for it, and released after
 * `finalize`. Failures come back with growing waits, and neither they nor an unreachable platform ever end the loop.
 * Throws a TypeError when the options contradict each other.
 */
export async function reconcile<Spec = unknown, Status = unknown>(
  options: ReconcileOptions<Spec, Status>,
): Promise<void> {
  requireSense(options);
  const { signal, reader, concurrency = 4, pollMs = 5_000, pendingDeletionPollMs = 1_000 } = options;
  const queue = new WorkQueue(options.timers ?? reader.timers);
  const observer = new Observer(options, queue);
  const worker = new Worker(options, queue, observer);
  const close = () => queue.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  try {
    await Promise.all([
      again(options, pollMs, () => observer.list()),
      again(options, pendingDeletionPollMs, () => observer.pendingDeletion()),
      ...Array.from({ length: concurrency }, () => worker.run()),
    ]);
  } finally {
    signal.removeEventListener('abort', close);
  }
}

/** Looks again and again: every `ms` milliseconds, and less often while it fails. */
async function again<Spec, Status>(
  {
    signal,
    reader,
    timers = reader.timers,
    backOff = defaultBackOff,
    onError,
  }: ReconcileOptions<Spec, Status>,
  ms: number,
  look: () => Promise<void>,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await look();
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      onError?.(error);
    }
    const pause = failures === 0 ? 0 : backOffDelay(backOff, failures, timers.random());
    await sleep(timers, Math.max(ms, pause), signal).catch(() => undefined);
  }
}

function requireSense<Spec, Status>({
  controller,
  finalizer,
  finalize,
}: ReconcileOptions<Spec, Status>): void {
  if (finalize !== undefined && finalizer === undefined) {
    throw new TypeError('finalize needs a finalizer: without one the resource would be gone before');
  }
  if (finalizer !== undefined && !finalizer.startsWith(`${controller}/`)) {
    throw new TypeError(`the finalizer must begin with ${controller}/: a controller owns no other`);
  }
}
