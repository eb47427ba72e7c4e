import { readAnchors, readLinks } from './read-links.ts';

const page =
  '# A *page*, `x`!\n\n[one](a.md#b) ![two](c.svg) `[no](x)`\n```sh\n# no\n[no](y)\n```\n## A page, x\n[last](d)\n';

it('finds links outside of code, with their lines', () => {
  expect(readLinks(page)).toEqual([
    { line: 3, target: 'a.md#b' },
    { line: 3, target: 'c.svg' },
    { line: 9, target: 'd' },
  ]);
});

it('makes anchors as GitHub does, numbered when they repeat', () => {
  expect([...readAnchors(page)]).toEqual(['a-page-x', 'a-page-x-1']);
});
