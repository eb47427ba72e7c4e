import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitepress';
import { githubAnchor, markdownPlugins } from '../markdown.mts';
import { sidebarOf } from '../sidebar.mts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

// The browser refuses every request to another origin, whatever a page or a library asks for.
const contentSecurityPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/** The pages are outside of this package, which has Vue. */
const resolveVueFromHere: Plugin = {
  name: 'resolve-vue-from-here',
  enforce: 'pre',
  resolveId(id) {
    if (!/^vue(?:\/|$)/.test(id)) return null;
    return this.resolve(id, fileURLToPath(import.meta.url), { skipSelf: true });
  },
};

/** The documentation as a site, made from the Markdown of the repository in place. */
export default defineConfig({
  title: 'Platform service',
  description: 'A generic resource API, a token model and an OAuth/OIDC proxy on one PostgreSQL.',
  head: [
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy }],
    ['link', { rel: 'icon', href: 'data:,' }],
  ],
  // Pages keep their paths, so that the links between them work on the site as in the repository.
  srcDir: repository,
  srcExclude: ['{packages,apps,docker,test,tools,drizzle}/**', '.*/**', '**/{dist,coverage}/**'],
  rewrites: (page) => page.replace(/(^|\/)README\.md$/, '$1index.md'),
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  useWebFonts: false,
  vite: {
    plugins: [resolveVueFromHere],
    build: { chunkSizeWarningLimit: 3000 },
  },
  markdown: {
    anchor: { slugify: githubAnchor },
    config: (markdown) => markdownPlugins(markdown, repository),
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: sidebarOf(readFileSync(`${repository}docs/index.md`, 'utf8')),
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Changelog', link: '/CHANGELOG' },
    ],
    docFooter: { prev: false, next: false },
  },
});
