import type { Sealer } from '@platform/kernel';
import { refusalOf } from '../../test/fixtures.ts';
import {
  continueToken,
  pageToken,
  parseContinue,
  parsePageToken,
  parseSealedPageToken,
  sealedPageToken,
} from './continue-token.ts';

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

describe('the token of a page for a caller with bindings', () => {
  const sealer: Sealer = {
    seal: (text, context) => `v1.k.${Buffer.from(JSON.stringify([text, context])).toString('base64url')}`,
    unseal(sealed, context) {
      const [, , encoded = ''] = sealed.split('.');
      const decoded = Buffer.from(encoded, 'base64url').toString();
      const [text, of] = decoded.startsWith('[') ? JSON.parse(decoded) : [];
      return JSON.stringify(of) === JSON.stringify(context) ? text : null;
    },
  };
  const position = { path: 'acme', name: 'w1', uid: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b' };
  const token = sealedPageToken(sealer, 'list', position);

  it('returns the position, which only the platform can read and make', () => {
    expect(parseSealedPageToken(sealer, [token], 'list')).toEqual(position);
    expect(parseSealedPageToken(sealer, [], 'list')).toBeNull();
  });

  // Attack: a caller makes positions, and looks behind which ones a list goes on.
  it('is refused in another list, twice, changed, and as a token of another kind', () => {
    const others = [
      [token, token],

      [pageToken('list', position)],
      [continueToken('w1')],
      [''],
    ];
    for (const tokens of others)
      expect(refusalOf(() => parseSealedPageToken(sealer, tokens, 'list')).code).toBe('invalid_query');
    expect(refusalOf(() => parseSealedPageToken(sealer, [token], 'other')).code).toBe('invalid_query');
    expect(refusalOf(() => parsePageToken([token], 'list')).code).toBe('invalid_query');
  });
});
