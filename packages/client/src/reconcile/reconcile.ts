import type { PlatformClient } from '../client.ts';
import { backOffDelay, defaultBackOff } from '../http/backoff.ts';
import { electionTimes } from '../leader-election/options.ts';
import { type ElectionContext, whileLeading } from '../leader-election/while-leading.ts';
import type { KindPath } from '../model/paths.ts';
import type { Resource } from '../model/resource.ts';
import { sleep, type Timers } from '../timers.ts';
import { type EventSource, follow } from './follow.ts';
import { Informer } from './informer.ts';
import type { OwnedKind, ReconcileOptions } from './options.ts';
import { WorkQueue } from './work-queue.ts';
import { Worker } from './worker.ts';

/**
 * Runs a controller until `signal` is aborted. It watches its kind and reconciles each changed resource on its own: the finalizer is added
 * before any work and removed after `finalize`. Failures are retried with exponential backoff; neither they nor an unreachable platform
 * end the loop. It polls a server without watches. Throws a TypeError when the options are contradictory.
 */
export async function reconcile<Spec = unknown, Status = unknown>(
  options: ReconcileOptions<Spec, Status>,
): Promise<void> {
  validateOptions(options);
  const { leaderElection } = options;
  if (leaderElection === undefined) return await runController(options);
  const { reader, writer = reader, signal, timers = reader.timers, onError, metrics } = options;
  const context: ElectionContext = {
    client: leaderElection.client ?? writer,
    signal,
    timers,
    onError: (error) => onError?.(error),
    onChange(leads, holder) {
      leaderElection.onChange?.(leads, holder);
      metrics?.leader?.(leads);
    },
  };
  await whileLeading(leaderElection, context, (leading, lost) =>
    runController({ ...options, signal: leading }, lost),
  );
}

/** `lost` is aborted when another replica may lead. */
async function runController<Spec, Status>(
  given: ReconcileOptions<Spec, Status>,
  lost?: AbortSignal,
): Promise<void> {
  const { reader, concurrency = 4, timers = reader.timers, backOff, rateLimit, metrics } = given;
  // When a callback of the caller throws, every loop ends with the one that called it.
  const failed = new AbortController();
  const signal = AbortSignal.any([given.signal, failed.signal]);
  const options = { ...given, signal };
  const queue = new WorkQueue(timers, backOff, (depth) => metrics?.queue?.(depth), rateLimit);
  const informer = new Informer(options, queue);
  const abandoned = lost === undefined ? failed.signal : AbortSignal.any([lost, failed.signal]);
  const worker = new Worker(options, queue, informer, abandoned);
  const close = () => queue.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  try {
    await Promise.all([
      watchOrPoll(options, informer),
      ...(options.owns ?? []).map((owned) => watchOwned(options, owned, informer, queue)),
      ...Array.from({ length: concurrency }, () => worker.run()),
    ]);
  } finally {
    failed.abort();
  }
}

async function watchOrPoll<Spec, Status>(
  options: ReconcileOptions<Spec, Status>,
  informer: Informer<Spec, Status>,
): Promise<void> {
  const { signal, reader, timers = reader.timers, kind, within = [], pollMs = 5_000 } = options;
  const { events, pendingDeletionPollMs = 1_000, resyncMs = 600_000, metrics } = options;
  const watching = new AbortController();
  const resync = poll(
    { ...options, signal: AbortSignal.any([signal, watching.signal]) },
    resyncMs / 10,
    async () => informer.resync(),
  );
  const isWatched = await follow({
    ...followOptions(options, timers),
    source: events ?? sourceOf(reader, kind, within),
    handler: informer,
    onState: (state) => metrics?.stream?.(state),
  });
  watching.abort();
  await resync;
  if (isWatched) return;
  informer.poll();
  metrics?.stream?.('polling');
  await Promise.all([
    poll(options, pollMs, () => informer.list()),
    poll(options, pendingDeletionPollMs, () => informer.listTombstones()),
  ]);
}

/** Queues the owners of whatever changes. */
async function watchOwned<Spec, Status>(
  options: ReconcileOptions<Spec, Status>,
  { kind, within = [], events, ownersOf }: OwnedKind,
  informer: Informer<Spec, Status>,
  queue: WorkQueue,
): Promise<void> {
  const { reader, timers = reader.timers, onError } = options;
  const owners = ownersOf ?? ((resource: Resource) => defaultOwners(resource, informer));
  const enqueue = (resource: Resource) => {
    for (const uid of owners(resource)) if (informer.has(uid)) queue.add(uid);
  };
  const restarted = () => {};
  const source = events ?? sourceOf(reader, kind, within);
  let isComplete = false;
  // A new stream does not report what was removed before it, so any owner may have lost a dependent.
  const replaced = () => {
    if (isComplete) informer.queueAll();
    isComplete = true;
  };
  const isWatched = await follow({
    ...followOptions(options, timers),
    source,
    handler: { changed: enqueue, removed: enqueue, restarted, replaced },
  });
  if (!isWatched) onError?.(new Error(`${kind.plural} cannot be watched: the server has no watches`));
}

function followOptions<Spec, Status>(
  { signal, backOff = defaultBackOff, onError }: ReconcileOptions<Spec, Status>,
  timers: Timers,
) {
  return { signal, timers, backOff, onError: (error: unknown) => onError?.(error) };
}

/** The events of a kind below every parent. */
function sourceOf(reader: PlatformClient, kind: KindPath, within: readonly KindPath[]): EventSource {
  const everywhere = reader.resources(kind).in(...within.map(() => '-'));
  return (cursor, signal) => everywhere.watch({ cursor, signal });
}

/** The owners that a resource refers to, and the resource above it. */
function defaultOwners<Spec, Status>(
  { metadata: { ancestors, ownerReferences } }: Resource,
  informer: Informer<Spec, Status>,
): readonly string[] {
  const name = ancestors.at(-1);
  const above = name === undefined ? undefined : informer.uidAt(ancestors.slice(0, -1), name);
  return [...ownerReferences.map(({ uid }) => uid), ...(above === undefined ? [] : [above])];
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
  leaderElection,
}: ReconcileOptions<Spec, Status>): void {
  if (leaderElection !== undefined) electionTimes(leaderElection);
  if (finalize !== undefined && finalizer === undefined) {
    throw new TypeError(
      'finalize requires a finalizer: without one the resource is removed before finalize runs',
    );
  }
  if (finalizer !== undefined && !finalizer.startsWith(`${controller}/`)) {
    throw new TypeError(`the finalizer ${finalizer} must begin with the controller's id: ${controller}/`);
  }
}
