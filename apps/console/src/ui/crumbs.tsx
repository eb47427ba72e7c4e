import type { ReactNode } from 'react';

/** Where a page is, from the outside in. */
export function Crumbs({ children }: { readonly children: readonly ReactNode[] | ReactNode }) {
  const items = Array.isArray(children) ? children : [children];
  return (
    <nav aria-label="Place">
      <ol className="crumbs">
        {items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place of a page has a fixed depth
          <li key={at}>{item}</li>
        ))}
      </ol>
    </nav>
  );
}
