import { backOffDelay, defaultBackOff } from '../http/backoff.ts';
import { sleep } from '../timers.ts';
import { Informer } from './informer.ts';
import type { ReconcileOptions } from './options.ts';
import { WorkQueue } from './work-queue.ts';
import { Worker } from './worker.ts';

/**
 * Runs a controller until `signal` is aborted. It polls its kind and the tombstones, and reconciles each changed resource on its
 * own: the resource is read again, the finalizer is added before any work and removed after `finalize`. Failures are retried with
 * exponential backoff; neither they nor an unreachable platform end the loop. Throws a TypeError when the options are contradictory.
 */
export async function reconcile<Spec = unknown, Status = unknown>(
  options: ReconcileOptions<Spec, Status>,
): Promise<void> {
  validateOptions(options);
  const { signal, reader, concurrency = 4, pollMs = 5_000, pendingDeletionPollMs = 1_000 } = options;
  const queue = new WorkQueue(options.timers ?? reader.timers);
  const informer = new Informer(options, queue);
  const worker = new Worker(options, queue, informer);
  const close = () => queue.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  try {
    await Promise.all([
      poll(options, pollMs, () => informer.list()),
      poll(options, pendingDeletionPollMs, () => informer.listTombstones()),
      ...Array.from({ length: concurrency }, () => worker.run()),
    ]);
  } finally {
    signal.removeEventListener('abort', close);
  }
}

/** Calls `list` every `intervalMs` milliseconds, and less often while it fails. */
async function poll<Spec, Status>(
  {
    signal,
    reader,
    timers = reader.timers,
    backOff = defaultBackOff,
    onError,
  }: ReconcileOptions<Spec, Status>,
  intervalMs: number,
  list: () => Promise<void>,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await list();
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      onError?.(error);
    }
    const delayMs = failures === 0 ? 0 : backOffDelay(backOff, failures, timers.random());
    await sleep(timers, Math.max(intervalMs, delayMs), signal).catch(() => undefined);
  }
}

function validateOptions<Spec, Status>({
  controller,
  finalizer,
  finalize,
}: ReconcileOptions<Spec, Status>): void {
  if (finalize !== undefined && finalizer === undefined) {
    throw new TypeError(
      'finalize requires a finalizer: without one the resource is removed before finalize runs',
    );
  }
  if (finalizer !== undefined && !finalizer.startsWith(`${controller}/`)) {
    throw new TypeError(`the finalizer ${finalizer} must begin with the controller's id: ${controller}/`);
  }
}
