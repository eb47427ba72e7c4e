import { refusalOf } from '../../test/fixtures.ts';
import { continueToken, listLimit, readContinue, readLimit } from './page-query.ts';

describe('readLimit', () => {
  it('falls back, and takes one integer in the bounds', () => {
    expect(readLimit(new URLSearchParams(''), listLimit)).toBe(500);
    expect(readLimit(new URLSearchParams('limit=1000'), listLimit)).toBe(1000);
  });

  it.each([
    'limit=0',
    'limit=1001',
    'limit=',
    'limit=1.5',
    'limit=1e2',
    'limit=-1',
    'limit=a',
    'limit=1&limit=2',
    'limit=%201',
  ])('refuses %s', (query) => {
    expect(refusalOf(() => readLimit(new URLSearchParams(query), listLimit)).code).toBe('invalid_query');
  });
});

describe('the continue token', () => {
  it('brings back the name that a page ended with', () => {
    for (const name of ['a', 'my-app', 'widgets.example.dev', 'x'.repeat(63)]) {
      expect(readContinue(new URLSearchParams({ continue: continueToken(name) }))).toBe(name);
    }
    expect(readContinue(new URLSearchParams(''))).toBeNull();
  });

  it.each([
    '',
    'my-app',
    'YWZ0ZXI6',
    'YWZ0ZXI6QQ',
    `${continueToken('ab')}=`,
    '%',
    'YWZ0ZXI6YQ&continue=YWZ0ZXI6YQ',
  ])('refuses %j', (token) => {
    expect(refusalOf(() => readContinue(new URLSearchParams(`continue=${token}`))).code).toBe(
      'invalid_query',
    );
  });
});
