/** The most bytes of a page of a list: a thousand documents of a megabyte each would not fit into memory. */
export const pageBytes = 16 * 1024 * 1024;
/** The most bytes of the items of a page; the rest is for the token of the next page. */
const maxBytes = pageBytes - 1024;
/** Items that are read before their size is known. */
const firstItems = 100;

/**
 * Reads a page of at most `limit` items, in several parts, so that large items do not fill the memory. A page of large items ends before its
 * limit. `read` gets the last item before its part, or null.
 */
export async function readBoundedPage<T>(
  limit: number,
  read: (limit: number, last: T | null) => Promise<{ readonly items: readonly T[]; readonly more: boolean }>,
): Promise<{ readonly items: readonly T[]; readonly more: boolean }> {
  const items: T[] = [];
  let used = 0;
  let more = true;
  while (more && items.length < limit) {
    const fitting = items.length === 0 ? firstItems : Math.ceil((maxBytes - used) / (used / items.length));
    const part = await read(Math.min(limit - items.length, Math.max(fitting, 1)), items.at(-1) ?? null);
    for (const item of part.items) {
      used += Buffer.byteLength(JSON.stringify(item)) + 1;
      if (used > maxBytes && items.length > 0) return { items, more: true };
      items.push(item);
    }
    more = part.more;
  }
  return { items, more };
}
