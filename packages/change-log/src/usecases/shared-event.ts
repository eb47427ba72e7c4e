import type { ChangeEntry } from '../model/change-entry.ts';
import type { Cursor } from '../model/cursor.ts';
import { renderChange, type Shape, sizeOf } from '../model/stream-event.ts';
import type { ShownChange } from '../rules/event-type.ts';

/** A change with the bytes that streams of one shape share: a document is serialized once, however many clients watch it. */
export class SharedEvent {
  readonly change: ChangeEntry;
  readonly size: number;
  readonly #rendered = new Map<string, Buffer>();

  constructor(change: ChangeEntry) {
    this.change = change;
    this.size = sizeOf(change);
  }

  /** The event for a reader that stands at `cursor` after it. */
  bytes({ type, change }: ShownChange, cursor: Cursor, shape: Shape): Buffer {
    // The cursor is the reader's own while a list that it began with overlaps the log.
    if (change !== this.change || cursor.text !== change.cursor.text)
      return renderChange(type, change, cursor, shape);
    const dialect = shape.dialect?.name ?? '';
    const key = `${type} ${shape.format} ${shape.version} ${shape.view ?? 'full'} ${dialect}`;
    let bytes = this.#rendered.get(key);
    if (bytes === undefined) {
      bytes = renderChange(type, this.change, cursor, shape);
      this.#rendered.set(key, bytes);
    }
    return bytes;
  }
}
