import { type Resource, type ResumeOptions, sleep, type WatchEvent } from 'platform-service-client';
import { Failure } from '../failure.ts';
import { labelOf, readTarget, requireItem } from '../kinds/target.ts';
import { watchTarget } from '../kinds/watch-target.ts';
import { readWaitCondition, type WaitCondition } from '../wait/wait-condition.ts';
import type { Register } from './command-context.ts';
import { readWait, withinOption } from './options.ts';

/** How often a missing parent is searched for. */
const parentMs = 1_000;

/** `wait`: waits until a resource is in a state. */
export const registerWait: Register = (program, contextOf) => {
  program
    .command('wait <target...>')
    .description(
      'wait for a state of a resource: --for=delete, --for=create, --for=condition=Ready, --for=jsonpath={.spec.color}=red',
    )
    .addOption(withinOption())
    .requiredOption('--for <state>', 'the state to wait for')
    .option('-s, --slot <id>', 'look for conditions only in the status slot of this writer')
    .option('-t, --timeout <time>', 'give up after so many seconds, or 5m, 1h; 0 looks once', readWait, 30)
    .action(async (words, { in: within, for: state, slot, timeout }, command) => {
      const ctx = contextOf(command);
      const condition = readWaitCondition(state, slot);
      const target = requireItem(ctx.client, readTarget(await ctx.catalog(), words, within));
      const label = labelOf(
        target.kind.kind,
        target.uid === undefined ? target.names : [`uid:${target.uid}`],
      );
      const { timers } = ctx.terminal;
      const over = new AbortController();
      // With `once`, it waits only for the initial state.
      const cancel = timeout === 0 ? () => {} : timers.after(timeout * 1_000, () => over.abort());
      const signal = AbortSignal.any([ctx.signal, over.signal]);
      // The parent may be missing as well; then there is nothing to watch yet.
      const isCreation = state === 'create' && timeout > 0;
      try {
        const options = { signal, timers, ...ctx.outageLines };
        const open = () => watchTarget(ctx.client, target, options);
        const events = isCreation ? onceFound(open, options) : open();
        const states = statesIn(events, { once: timeout === 0 });
        if (await comesTrue(condition, states, label)) return ctx.out(`${label} ${condition.result}\n`);
      } finally {
        cancel();
      }
      ctx.signal.throwIfAborted();
      throw new Failure('timeout', `timed out waiting for ${state} of ${label}`);
    });
};

/** Whether a state meets the condition; false when the states end before. Throws when the resource that it needs does not exist. */
async function comesTrue(
  condition: WaitCondition,
  states: AsyncIterable<Resource | null>,
  label: string,
): Promise<boolean> {
  try {
    for await (const resource of states) {
      if (condition.isMet(resource)) return true;
      if (resource === null && condition.needsResource)
        throw new Failure('notFound', `${label} does not exist`);
    }
    return false;
  } catch (error) {
    if (condition.isMet(null) && isNotFound(error)) return true;
    throw error;
  }
}

/** The states of one resource, the current one first; null while it does not exist. With `once` only that one. */
async function* statesIn(
  events: AsyncIterable<WatchEvent>,
  { once }: { readonly once: boolean },
): AsyncGenerator<Resource | null> {
  let resource: Resource | null = null;
  for await (const event of events) {
    if (event.type !== 'BOOKMARK') {
      resource = event.type === 'DELETED' ? null : event.object;
      const isInitial = event.cursor === undefined;
      // Whether it exists is known at the end of the initial state.
      if (resource !== null || !isInitial) yield resource;
    } else if (event.initial === true) {
      yield resource;
      if (once) return;
    }
  }
}

/** The events of a watch, which is opened again until the parent of the resource exists. */
async function* onceFound(
  open: () => AsyncIterable<WatchEvent>,
  { signal, timers, onRecovery }: ResumeOptions,
): AsyncGenerator<WatchEvent> {
  while (!signal.aborted) {
    try {
      return yield* open();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      onRecovery?.();
      await sleep(timers, parentMs, signal).catch(() => undefined);
    }
  }
}

/** The resource, or the one above it, is gone. */
function isNotFound(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'not_found';
}
