import { continueToken } from '@platform/resources';
import type { PageOf } from '../ports/stores.ts';

/** A rendered page: `items`, and `continue` if there is a next page. */
export interface RenderedPage {
  readonly items: readonly Record<string, unknown>[];
  readonly continue?: string;
}

/** Renders a page with the token of the next page. */
export function renderPageOf<T extends { readonly name: string }>(
  page: PageOf<T>,
  render: (item: T) => Record<string, unknown>,
): RenderedPage {
  const last = page.items.at(-1);
  const items = page.items.map(render);
  return page.more && last !== undefined ? { items, continue: continueToken(last.name) } : { items };
}
