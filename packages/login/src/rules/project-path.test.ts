import { readProjectPath } from './project-path.ts';

describe('readProjectPath', () => {
  it.each([
    ['/', '/'],
    ['/a/b?c=d&e=%2F%2Fevil#f', '/a/b?c=d&e=%2F%2Fevil#f'],
    ['/a/../b', '/b'],
    ['/%2f%2fevil.example', '/%2f%2fevil.example'],
    ['/%5cevil.example', '/%5cevil.example'],
    ['/https://evil.example', '/https://evil.example'],
    ['/.platform/callbacks', '/.platform/callbacks'],
  ])('takes %s as it is parsed', (text, path) => {
    expect(readProjectPath(text)).toBe(path);
    expect(new URL(readProjectPath(text) ?? '', 'https://shop.example').host).toBe('shop.example');
  });

  it.each([
    '',
    'orders',
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '/\tevil',
    '/\r\nSet-Cookie:x',
    '/ evil',
    '/ü',
    'javascript:alert(1)',
    '@evil.example',
    '/.platform/callback?code=x',
    '/x/../.platform/callback',
    `/${'x'.repeat(1600)}`,
    `/${'&'.repeat(600)}`,
  ])('refuses %j', (text) => {
    expect(readProjectPath(text)).toBeNull();
  });
});
