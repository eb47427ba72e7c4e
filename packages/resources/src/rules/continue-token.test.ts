import { refusalOf } from '../../test/fixtures.ts';
import { continueToken, listLimit, parseContinue, parseLimit } from './paging.ts';

describe('parseLimit', () => {
  it('uses the default, and accepts one integer in the bounds', () => {
    expect(parseLimit([], listLimit)).toBe(500);
    expect(parseLimit(['1000'], listLimit)).toBe(1000);
  });

  it.each([['0'], ['1001'], [''], ['1.5'], ['1e2'], ['-1'], ['a'], ['1', '2'], [' 1']])(
    'refuses %j',
    (...texts) => {
      expect(refusalOf(() => parseLimit(texts, listLimit)).code).toBe('invalid_query');
    },
  );
});

describe('the continue token', () => {
  it('returns the name that a page ended with', () => {
    for (const name of ['a', 'my-app', 'widgets.example.dev', 'x'.repeat(63)]) {
      expect(parseContinue([continueToken(name)])).toBe(name);
    }
    expect(parseContinue([])).toBeNull();
  });

  it.each([
    [''],
    ['my-app'],
    ['YWZ0ZXI6'],
    ['YWZ0ZXI6QQ'],
    [`${continueToken('ab')}=`],
    ['%'],
    ['YWZ0ZXI6YQ', 'YWZ0ZXI6YQ'],
  ])('refuses %j', (...tokens) => {
    expect(refusalOf(() => parseContinue(tokens)).code).toBe('invalid_query');
  });
});
