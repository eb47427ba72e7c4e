import { continueToken, listLimit, parseContinue, parseLimit } from '@platform/resources';
import type { PageOf, PageQuery } from '../ports/stores.ts';

/** Reads `?limit=` and `?continue=`, as everywhere. */
export function readPage(query: URLSearchParams): PageQuery {
  return {
    limit: parseLimit(query.getAll('limit'), listLimit),
    after: parseContinue(query.getAll('continue')),
  };
}

/** A rendered page: `items`, and `continue` where a page follows. */
export interface RenderedPage {
  readonly items: readonly Record<string, unknown>[];
  readonly continue?: string;
}

/** Renders a page and makes the token of the next one. */
export function renderPageOf<T extends { readonly name: string }>(
  page: PageOf<T>,
  render: (item: T) => Record<string, unknown>,
): RenderedPage {
  const last = page.items.at(-1);
  const items = page.items.map(render);
  return page.more && last !== undefined ? { items, continue: continueToken(last.name) } : { items };
}
