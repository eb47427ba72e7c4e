import { readBoundedPage } from '@platform/kernel';
import { keyToken } from '@platform/resources';
import type { PageOf, PageQuery, PageRequest } from '../ports/stores.ts';

/** A rendered page: `items`, and `continue` if there is a next page. */
export interface RenderedPage {
  readonly items: readonly Record<string, unknown>[];
  readonly continue?: string;
}

/** Reads and renders a page with the token of the next page. A page of large records ends before its limit. */
export async function readPageOf<T extends { readonly name: string }>(
  read: (page: PageQuery) => Promise<PageOf<T>>,
  { limit, after, list }: PageRequest,
  render: (item: T) => Record<string, unknown> & { readonly name: string },
): Promise<RenderedPage> {
  const { items, more } = await readBoundedPage(
    limit,
    async (part, before: { readonly name: string } | null) => {
      const page = await read({ limit: part, after: before?.name ?? after });
      return { ...page, items: page.items.map(render) };
    },
  );
  const last = items.at(-1);
  return more && last !== undefined ? { items, continue: keyToken(list, last.name) } : { items };
}
