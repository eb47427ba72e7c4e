import type { DefaultTheme } from 'vitepress';

/** The sidebar: the sections of `docs/index.md` with the pages that they link to, so that the list of pages exists once. */
export function sidebarOf(index: string): DefaultTheme.SidebarItem[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.split('\n')[0] ?? '',
      items: [...section.matchAll(/^\* \[([^\]]+)\]\(([^)#]+)\.md\)/gm)].map(([, text = '', page = '']) => ({
        text,
        link: new URL(page.replace(/README$/, ''), 'http://site/docs/').pathname,
      })),
    }));
}
