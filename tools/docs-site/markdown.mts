import { dirname, normalize, relative } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** The anchor that GitHub gives a heading; VitePress replaces underscores, which the names of error codes have. */
export function githubAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** Renders Mermaid blocks as diagrams, and fits the links of the repository to the site. */
export function markdownPlugins(markdown: MarkdownRenderer, repository: string): void {
  const { fence, link_open: linkOpen, link_close: linkClose } = markdown.renderer.rules;
  if (fence === undefined || linkOpen === undefined)
    throw new Error('VitePress has no rules for fences and links');

  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index] ?? { info: '', content: '' };
    if (info.trim() !== 'mermaid') return fence(tokens, index, ...rest);
    return `<MermaidDiagram source="${encodeURIComponent(content)}" />`;
  };

  markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const target = token?.attrGet('href') ?? '';
    if (token === undefined || /^(?:[a-z]+:|#)/.test(target))
      return linkOpen(tokens, index, options, env, self);
    const page = relative(repository, env.realPath ?? env.path);
    if (!isOnSite(normalize(`${dirname(page)}/${target.replace(/#.*/, '')}`))) {
      // Sources are not on the site: the text of the link names the file.
      env.sourceLinks = (env.sourceLinks ?? 0) + 1;
      return '<span>';
    }
    token.attrSet('href', target.replace(/(^|\/)README\.md/, '$1index.md'));
    return linkOpen(tokens, index, options, env, self);
  };

  markdown.renderer.rules.link_close = (tokens, index, options, env, self) => {
    if ((env.sourceLinks ?? 0) > 0) {
      env.sourceLinks -= 1;
      return '</span>';
    }
    return linkClose?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
  };
}

/** Whether a path of the repository is a page. */
function isOnSite(path: string): boolean {
  return path.endsWith('.md');
}
