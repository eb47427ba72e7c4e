import type { Resource } from './resource.ts';

/** A resource that appeared, changed or disappeared. The events of the initial state have only `type` and `object`. */
export interface ChangeEvent<Spec = unknown, Status = unknown> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Where the stream is after this event. */
  cursor?: string;
  operation?: string;
  actor?: { type: string; id: string };
  time?: string;
  requestId?: string | null;
  /** Why, in the words of the caller. */
  reason?: string;
  /** All events that one DELETE causes have the same id. */
  cascadeId?: string;
  /** After the change; the last stored state when it was removed. */
  object: Resource<Spec, Status>;
}

/** Tells how far the stream is. `initial` ends the initial state. */
export interface BookmarkEvent {
  type: 'BOOKMARK';
  cursor: string;
  initial?: true;
}

/** An event of a stream. */
export type WatchEvent<Spec = unknown, Status = unknown> = ChangeEvent<Spec, Status> | BookmarkEvent;

/** The last event of a stream that cannot go on. */
export interface ErrorEvent {
  type: 'ERROR';
  problem: { status: number; code: string; detail: string };
}
