import { isLoopbackRedirect, readBrowserRedirect } from './redirects.ts';

const own = 'https://platform.example';

describe('readBrowserRedirect', () => {
  it('takes a path of this site as it is parsed', () => {
    expect(readBrowserRedirect('/a/b?c=d#e', own)).toEqual({ kind: 'path', path: '/a/b?c=d#e' });
    expect(readBrowserRedirect('/a/../b', own)).toEqual({ kind: 'path', path: '/b' });
  });

  it('takes an http(s) URL with its origin', () => {
    expect(readBrowserRedirect('HTTPS://App.Example:443/x', own)).toEqual({
      kind: 'url',
      url: 'https://app.example/x',
      origin: 'https://app.example',
    });
  });

  it.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/\tevil',
    '/ evil',
    'https://a@evil.example',
    'https://app.example\\@evil.example',
    'https:evil.example',
    'https:///evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://app.example',
    'app.example',
    'ｈttps://app.example',
    `/${'x'.repeat(2048)}`,
  ])('refuses %j', (text) => {
    expect(readBrowserRedirect(text, own)).toBeNull();
  });
});

describe('isLoopbackRedirect', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:8000/cb?x=1',
    'http://[::1]:1',
    'http://localhost:65535/cb',
  ])('takes %s', (text) => {
    expect(isLoopbackRedirect(text)).toBe(true);
  });

  it.each([
    'https://127.0.0.1/',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1@evil.example/',
    'http://127.0.0.1:80@evil.example/',
    'http://localhost.evil.example/',
    'http://LOCALHOST\\@evil.example/',
    'http://localhost:80#@evil.example',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://localhost:99999/',
    'custom:/cb',
    '',
  ])('refuses %j', (text) => {
    expect(isLoopbackRedirect(text)).toBe(false);
  });
});
