import { hasDotSegment } from './dot-segments.ts';

describe('a path with dot segments', () => {
  it.each([
    '/..',
    '/a/../b',
    '/a/./b',
    '/a/.',
    '/a/%2e%2e/b',
    '/a/%2E./b',
    '/a/.%2e',
    '/a/..%2fb',
    '/a%2F..%2Fb',
    '/a\\..\\b',
    '/a/..%5Cb',
  ])('is recognized: %s', (path) => {
    expect(hasDotSegment(path)).toBe(true);
  });

  it.each([
    '/',
    '/a/b',
    '/a/...',
    '/a/..b',
    '/a/b..',
    '/.platform/callback',
    '/a/.well-known',
    '/a/%2e%2eb',
    '/a/%20',
  ])('is no other path: %s', (path) => {
    expect(hasDotSegment(path)).toBe(false);
  });
});
