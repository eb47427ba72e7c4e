import type { Resource } from '../model/resource.ts';
import type { WatchEvent } from '../model/watch-event.ts';
import type { EventSource } from './follow.ts';

/** Events for tests of controllers: what is written here reaches `reconcile` as if the platform had sent it. */
export interface FakeEvents {
  /** Pass it to `reconcile` as `events`. */
  readonly source: EventSource;
  /** Adds or changes a resource. */
  put(resource: Resource): void;
  remove(uid: string): void;
  /** Ends every stream, as a lost connection does. After a `PlatformError` with the code `cursor_expired` they begin again. */
  interrupt(error: Error): void;
  /** How many streams are open. */
  readonly open: number;
}

/** Creates events for a test, beginning with these resources. */
export function fakeEvents(initial: readonly Resource[] = []): FakeEvents {
  const state = new Map(initial.map((resource) => [resource.metadata.uid, resource]));
  const log: WatchEvent[] = [];
  const readers = new Set<{ wake: () => void; error: Error | null }>();
  const append = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Resource) => {
    log.push({ type, cursor: String(log.length + 1), object });
    for (const { wake } of readers) wake();
  };
  return {
    get open() {
      return readers.size;
    },
    put(resource) {
      const type = state.has(resource.metadata.uid) ? 'MODIFIED' : 'ADDED';
      state.set(resource.metadata.uid, resource);
      append(type, structuredClone(resource));
    },
    remove(uid) {
      const resource = state.get(uid);
      if (resource === undefined) return;
      state.delete(uid);
      append('DELETED', structuredClone(resource));
    },
    interrupt(error) {
      for (const reader of readers) {
        reader.error = error;
        reader.wake();
      }
    },
    async *source(cursor, signal) {
      const reader: { wake: () => void; error: Error | null } = { wake: () => {}, error: null };
      const stop = () => reader.wake();
      signal.addEventListener('abort', stop);
      readers.add(reader);
      try {
        let at = cursor === undefined ? log.length : Number(cursor);
        if (cursor === undefined) {
          const objects = [...state.values()].map((object) => structuredClone(object));
          for (const object of objects) yield { type: 'ADDED', object };
          yield { type: 'BOOKMARK', cursor: String(at), initial: true };
        }
        while (!signal.aborted) {
          if (reader.error !== null) throw reader.error;
          for (; at < log.length; at += 1) yield log[at] as WatchEvent;
          await new Promise<void>((resolve) => {
            reader.wake = resolve;
            if (at < log.length || signal.aborted || reader.error !== null) resolve();
          });
        }
      } finally {
        readers.delete(reader);
        signal.removeEventListener('abort', stop);
      }
    },
  };
}
