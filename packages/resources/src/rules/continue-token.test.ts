import { refusalOf } from '../../test/fixtures.ts';
import { continueToken, parseContinue } from './continue-token.ts';

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
