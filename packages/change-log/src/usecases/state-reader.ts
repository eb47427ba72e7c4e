import { StaleAccess } from '@platform/access';
import { isAcrossParents, type PagePosition, positionOf, type ResourceReader } from '@platform/resources';
import type { ListPlace } from '../model/initial-page.ts';
import type { ChangeLog } from '../ports/change-log.ts';
import type { StateReader } from '../ports/state-reader.ts';

/** Resources of one page of an initial state. The store ends a page of large documents early. */
const pageSize = 100;
/** Resources of each later page: large collections take fewer statements, and small ones have one page. */
const laterPageSize = 500;

const sizeOf = (after: unknown) => (after === null ? pageSize : laterPageSize);

/** The state of resources with the point of the log at which it was read. */
export function stateReader(
  reader: Pick<ResourceReader, 'get' | 'list' | 'select' | 'all'>,
  log: Pick<ChangeLog, 'parse'>,
): StateReader {
  return {
    async get(ref, definition) {
      const { resource, cursor } = await reader.get(ref, definition);
      // It was there with the guard a moment ago: it is removed, or the caller may no longer see it.
      if (resource === null && 'access' in ref && ref.access !== undefined) throw new StaleAccess();
      return { resource, cursor: await log.parse(cursor) };
    },
    async list(collection, after, definition, part) {
      const { labels, fields, scopes } = part;
      // By the indexes, so that a stream that shows little of a large collection is not silent for as long as reading all of it takes.
      if (scopes !== null || labels.length + fields.length > 0 || isAcrossParents(collection)) {
        const selection = { collection, labels, fields, scopes };
        const place = { limit: sizeOf(after), after: after === null ? null : placeOf(after) };
        const page = await reader.select(selection, place, definition);
        if (page.outcome === 'ancestorMissing') return null;
        const { items, next } = page;
        return { items, next, more: next !== null, cursor: await log.parse(page.cursor) };
      }
      const place = { limit: sizeOf(after), after: after?.name ?? null };
      const page = await reader.list(collection, place, definition);
      if (page.outcome === 'ancestorMissing') return null;
      return { items: page.items, more: page.more, cursor: await log.parse(page.cursor) };
    },
    async all(after) {
      const { items, more, cursor } = await reader.all(after?.uid ?? null, pageSize);
      return { items, more, cursor: await log.parse(cursor) };
    },
  };
}

function placeOf(place: ListPlace): PagePosition {
  return 'path' in place ? place : positionOf(place);
}
