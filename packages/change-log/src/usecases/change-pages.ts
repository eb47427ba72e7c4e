import type { ChangeLog, ChangePage } from '../ports/change-log.ts';

/** Entries of a page. A page is held in memory as a whole. */
export const pageEntries = 32;
/** Pages in memory. Most subscriptions are at the same place, so they share one. */
const maxPages = 4;

/** Pages of the change log that subscriptions at the same place share. */
export class ChangePages {
  readonly #log: Pick<ChangeLog, 'parse' | 'read'>;
  readonly #pages = new Map<string, Promise<ChangePage>>();

  constructor(log: Pick<ChangeLog, 'parse' | 'read'>) {
    this.#log = log;
  }

  /** The page after a cursor. @throws Problem `cursor_expired`. */
  async after(cursor: string): Promise<ChangePage> {
    const known = this.#pages.get(cursor);
    if (known !== undefined) return await known;
    const reading = this.#read(cursor);
    this.#pages.set(cursor, reading);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > maxPages && oldest !== undefined) this.#pages.delete(oldest);
    reading.catch(() => this.#pages.delete(cursor));
    return await reading;
  }

  /** Forgets the pages that end at the end of the log, which may have grown since. */
  async refresh(): Promise<void> {
    for (const [cursor, reading] of this.#pages) {
      const page = await reading.catch(() => null);
      if (page === null || !page.more) this.#pages.delete(cursor);
    }
  }

  clear(): void {
    this.#pages.clear();
  }

  async #read(cursor: string): Promise<ChangePage> {
    return await this.#log.read(await this.#log.parse(cursor), pageEntries);
  }
}
