import {
  type JsonText,
  projectedApiVersion,
  type Resource,
  renderEnvelope,
  type View,
} from '@platform/resources';
import type { ChangeEntry } from './change-entry.ts';
import type { Cursor } from './cursor.ts';

/** A change of a resource, as a stream tells it. */
export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The events of another interface than the resource API: how it writes them, one JSON object a line. Null leaves an event out. */
export interface Dialect {
  /** Identifies what the dialect writes: streams whose dialects have one name share the bytes of an event. */
  readonly name: string;
  readonly mediaType: string;
  initial(resource: Resource): JsonText | null;
  change(type: EventType, change: ChangeEntry): JsonText | null;
  bookmark(cursor: Cursor, isInitial: boolean): JsonText | null;
  error(problem: JsonText): JsonText;
}

/** How a stream writes its events. Streams of one shape share the bytes of an event. */
export interface Shape {
  /** `ndjson`: one JSON object a line; `sse`: server-sent events (HTML standard, section 9.2). */
  readonly format: 'ndjson' | 'sse';
  /** The version in which resources are shown; null for the stored one. */
  readonly version: string | null;
  /** Which members of resources are shown; all unless told. */
  readonly view?: View;
  /** Instead of the events of the resource API. */
  readonly dialect?: Dialect;
}

const line = (json: JsonText | null): Buffer =>
  json === null ? Buffer.alloc(0) : Buffer.from(`${json.replaceAll(lineBreak, ' ')}\n`);

/** The media type of a format. */
export const mediaTypes = {
  ndjson: 'application/x-ndjson',
  sse: 'text/event-stream; charset=utf-8',
} as const satisfies Record<Shape['format'], string>;

/** The event of the initial state. It has no cursor: a stream that breaks off before its first bookmark starts again. */
export function renderInitial(resource: Resource, shape: Shape): Buffer {
  if (shape.dialect !== undefined) return line(shape.dialect.initial(resource));
  return framed(shape, 'ADDED', null, `{"type":"ADDED","object":${envelope(resource, shape)}}`);
}

/** The event of a change, for a reader that stands at `cursor` after it. */
export function renderChange(type: EventType, change: ChangeEntry, cursor: Cursor, shape: Shape): Buffer {
  if (shape.dialect !== undefined) return line(shape.dialect.change(type, change));
  const { operation, actor, time, requestId, reason, cascadeId, resource } = change;
  const context = JSON.stringify({
    operation,
    actor,
    time,
    requestId,
    ...(reason === null ? {} : { reason }),
    ...(cascadeId === null ? {} : { cascadeId }),
  });
  const head = `{"type":"${type}","cursor":${JSON.stringify(cursor.text)},${context.slice(1, -1)}`;
  return framed(shape, type, cursor, `${head},"object":${envelope(resource, shape)}}`);
}

/** Tells how far a stream is, also when nothing matches. */
export function renderBookmark(
  cursor: Cursor,
  { format, dialect }: Pick<Shape, 'format' | 'dialect'>,
  isInitial = false,
): Buffer {
  if (dialect !== undefined) return line(dialect.bookmark(cursor, isInitial));
  const initial = isInitial ? ',"initial":true' : '';
  const text = `{"type":"BOOKMARK","cursor":${JSON.stringify(cursor.text)}${initial}}`;
  return framed({ format }, 'BOOKMARK', cursor, text);
}

/** The last event of a stream that cannot go on; `problem` is a document of RFC 9457. */
export function renderError(
  problem: JsonText,
  { format, dialect }: Pick<Shape, 'format' | 'dialect'>,
): Buffer {
  if (dialect !== undefined) return line(dialect.error(problem));
  return framed({ format }, 'ERROR', null, `{"type":"ERROR","problem":${problem}}`);
}

function envelope(resource: Resource, { version, view }: Shape): JsonText {
  const apiVersion = version === null ? resource.apiVersion : projectedApiVersion(resource, version);
  // Clients may have sent line breaks between the tokens of a document; inside of strings JSON has none.
  return renderEnvelope(resource, apiVersion, view).replaceAll(lineBreak, ' ');
}

const lineBreak = /[\r\n]/g;

function framed(
  { format }: Pick<Shape, 'format'>,
  type: string,
  cursor: Cursor | null,
  json: JsonText,
): Buffer {
  if (format === 'ndjson') return Buffer.from(`${json}\n`);
  const id = cursor === null ? '' : `id: ${cursor.text}\n`;
  return Buffer.from(`event: ${type}\n${id}data: ${json}\n\n`);
}

/** The bytes of memory that a change takes, roughly. */
export function sizeOf({ resource, previous }: ChangeEntry): number {
  return 1024 + documentBytes(resource) + (previous === null ? 0 : documentBytes(previous));
}

function documentBytes({ metadata, spec, status }: Resource): number {
  return 2 * (metadata.length + spec.length + status.length);
}
