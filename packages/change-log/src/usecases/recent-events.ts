import { comparePlaces, type Place } from '../model/cursor.ts';
import type { SharedEvent } from './shared-event.ts';

/** The newest events of the log, so that watchers that lag a little need no query. */
export class RecentEvents {
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  #events: SharedEvent[] = [];
  #bytes = 0;
  /** Everything after this place, up to the newest event, is here. */
  #from: Place;

  constructor(from: Place, { maxEvents = 2_000, maxBytes = 32 * 1024 * 1024 } = {}) {
    this.#from = from;
    this.#maxEvents = maxEvents;
    this.#maxBytes = maxBytes;
  }

  push(event: SharedEvent): void {
    this.#events.push(event);
    this.#bytes += event.size;
    // Half at a time, since removing the first of an array moves all others.
    if (this.#events.length > this.#maxEvents || this.#bytes > this.#maxBytes) this.#halve();
  }

  /** The events after a place; null when some of them are no longer here. */
  after(place: Place): readonly SharedEvent[] | null {
    if (comparePlaces(place, this.#from) < 0) return null;
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comparePlaces((this.#events[middle] as SharedEvent).change, place) <= 0) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low);
  }

  #halve(): void {
    let dropped = 0;
    while (
      dropped < this.#events.length &&
      (this.#events.length - dropped > this.#maxEvents / 2 || this.#bytes > this.#maxBytes / 2)
    ) {
      this.#bytes -= (this.#events[dropped] as SharedEvent).size;
      dropped += 1;
    }
    const last = this.#events[dropped - 1];
    if (last !== undefined) this.#from = last.change;
    this.#events = this.#events.slice(dropped);
  }
}
