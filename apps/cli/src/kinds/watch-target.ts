import { type PlatformClient, resumeWatch, type Timers, type WatchEvent } from 'platform-service-client';
import { pathOf } from './kind.ts';
import { isItem, type Target } from './target.ts';

/** How a target is watched. */
interface WatchTargetOptions {
  readonly signal: AbortSignal;
  readonly timers: Timers;
  /** Called when the initial state begins, also again after a stream was interrupted within it. */
  readonly onInitial?: () => void;
}

/** Watches what the words of a command name: one resource, or a collection, in all parents whose names are left out. */
export function watchTarget(
  client: PlatformClient,
  target: Target,
  { signal, timers, onInitial }: WatchTargetOptions,
): AsyncGenerator<WatchEvent, void, undefined> {
  const { kind, version, within, names, uid } = target;
  const collection = client.resources(pathOf(kind, version));
  return resumeWatch(
    (cursor) => {
      if (cursor === undefined) onInitial?.();
      if (uid !== undefined) return collection.watch({ key: { uid }, cursor, signal });
      if (isItem(target)) {
        return collection.in(...names.slice(0, -1)).watch({ key: names.at(-1) as string, cursor, signal });
      }
      const unnamed = within.slice(names.length).map(() => '-');
      return collection.in(...names, ...unnamed).watch({ cursor, signal });
    },
    { signal, timers },
  );
}
