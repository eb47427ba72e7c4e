import {
  type PlatformClient,
  type ResumeOptions,
  resumeWatch,
  type WatchEvent,
} from 'platform-service-client';
import { pathOf } from './kind.ts';
import { isItem, type Target } from './target.ts';

/** How a target is watched. */
interface WatchTargetOptions extends ResumeOptions {
  /** Only some resources of a collection. */
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Called when the initial state begins, also again after a stream was interrupted within it. */
  readonly onInitial?: () => void;
}

/** Watches what the words of a command name: one resource, or a collection, in all parents whose names are left out. */
export function watchTarget(
  client: PlatformClient,
  target: Target,
  { onInitial, labelSelector, fieldSelector, ...options }: WatchTargetOptions,
): AsyncGenerator<WatchEvent, void, undefined> {
  const { kind, version, within, names, uid } = target;
  const { signal } = options;
  const collection = client.resources(pathOf(kind, version));
  return resumeWatch((cursor) => {
    if (cursor === undefined) onInitial?.();
    if (uid !== undefined) return collection.watch({ key: { uid }, cursor, signal });
    if (isItem(target)) {
      return collection.in(...names.slice(0, -1)).watch({ key: names.at(-1) as string, cursor, signal });
    }
    const unnamed = within.slice(names.length).map(() => '-');
    return collection.in(...names, ...unnamed).watch({ labelSelector, fieldSelector, cursor, signal });
  }, options);
}
