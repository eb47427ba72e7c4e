import type { Sealer } from '@platform/kernel';
import { refusalOf } from '../../test/fixtures.ts';
import {
  keyToken,
  numbersToken,
  pageToken,
  parseName,
  parseNumbers,
  parsePageToken,
  parsePlainPageToken,
  parseSealedPageToken,
  sealedPageToken,
} from './continue-token.ts';

/** A token as the release 0.24 made it. */
const unbound = (name: string) => Buffer.from(`after:${name}`).toString('base64url');

describe('the token of a list by name', () => {
  const list = '/api/v1/teams';

  it('returns the name that a page ended with', () => {
    for (const name of ['a', 'my-app', 'widgets.example.dev', 'x'.repeat(63)]) {
      expect(parseName([keyToken(list, name)], list)).toBe(name);
    }
    expect(parseName([], list)).toBeNull();
  });

  it('may be that of the release before, so that lists go on during an upgrade', () => {
    expect(parseName([unbound('my-app')], list)).toBe('my-app');
    expect(parsePlainPageToken([unbound('my-app')], 'list')).toBe('my-app');
    expect(refusalOf(() => parsePageToken([unbound('my-app')], 'list')).code).toBe('invalid_query');
  });

  it.each([
    [''],
    ['my-app'],
    ['YWZ0ZXI6'],
    ['YWZ0ZXI6QQ'],
    [`${unbound('ab')}=`],
    ['%'],
    [unbound('a'), unbound('a')],
    [keyToken('/api/v1/projects', 'a')],
    [keyToken(list, 'a'), keyToken(list, 'a')],
    [keyToken(list, '\0')],
    [pageToken(list, { path: '', name: 'a', uid: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b' })],
  ])('refuses %j', (...tokens) => {
    expect(refusalOf(() => parseName(tokens, list)).code).toBe('invalid_query');
  });
});

describe('the token of a list by numbers', () => {
  it('returns them, in its own list', () => {
    const token = numbersToken('list', 12, 3);
    expect(parseNumbers([token], 'list', 2)).toEqual([12, 3]);
    expect(parseNumbers([], 'list', 2)).toBeNull();
    for (const [other, count] of [
      ['other', 2],
      ['list', 1],
    ] as const)
      expect(refusalOf(() => parseNumbers([token], other, count)).code).toBe('invalid_query');
    for (const key of ['', 'a', '1.', '01', '1e3', '9007199254740993'])
      expect(refusalOf(() => parseNumbers([keyToken('list', key)], 'list', 1)).code).toBe('invalid_query');
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
      [unbound('w1')],
      [''],
    ];
    for (const tokens of others)
      expect(refusalOf(() => parseSealedPageToken(sealer, tokens, 'list')).code).toBe('invalid_query');
    expect(refusalOf(() => parseSealedPageToken(sealer, [token], 'other')).code).toBe('invalid_query');
    expect(refusalOf(() => parsePageToken([token], 'list')).code).toBe('invalid_query');
  });
});
