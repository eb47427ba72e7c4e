import { matchesClaims } from './match-claims.ts';

const aud = { aud: 'platform' };

describe('claim matching', () => {
  it('asks for every required claim, and lets others be', () => {
    const patterns = { ...aud, sub: 'ctrl-*' };
    expect(matchesClaims(patterns, { aud: 'platform', sub: 'ctrl-1', extra: [] })).toBe(true);
    expect(matchesClaims(patterns, { aud: 'platform', sub: 'other' })).toBe(false);
    expect(matchesClaims(patterns, { aud: 'platform' })).toBe(false);
    expect(matchesClaims(patterns, { aud: 'other', sub: 'ctrl-1' })).toBe(false);
  });

  it('refuses everything when the audience is not among the required claims', () => {
    expect(matchesClaims({ sub: 'ctrl-1' }, { aud: 'platform', sub: 'ctrl-1' })).toBe(false);
    expect(matchesClaims({}, { aud: 'platform' })).toBe(false);
  });

  it('matches an array when one of its elements does', () => {
    expect(matchesClaims(aud, { aud: ['other', 'platform'] })).toBe(true);
    expect(matchesClaims(aud, { aud: ['other'] })).toBe(false);
    expect(matchesClaims(aud, { aud: [] })).toBe(false);
  });

  it('does not join the elements of an array', () => {
    expect(matchesClaims({ ...aud, groups: 'a,b' }, { aud: 'platform', groups: ['a', 'b'] })).toBe(false);
    expect(matchesClaims({ ...aud, groups: '*' }, { aud: 'platform', groups: [] })).toBe(false);
  });

  it('does not look into nested arrays and objects', () => {
    expect(matchesClaims(aud, { aud: [['platform']] })).toBe(false);
    expect(
      matchesClaims({ ...aud, kubernetes: '*' }, { aud: 'platform', kubernetes: { namespace: 'x' } }),
    ).toBe(false);
    expect(matchesClaims({ ...aud, gone: '*' }, { aud: 'platform', gone: null })).toBe(false);
  });

  it.each([
    ['7', 7, true],
    ['-1.5', -1.5, true],
    ['7*', 71, true],
    ['true', true, true],
    ['false', false, true],
    ['1', true, false],
    ['null', null, false],
    ['7.0', 7, false],
  ])('matches %j against the JSON text of %j: %j', (pattern, value, expected) => {
    expect(matchesClaims({ ...aud, x: pattern }, { aud: 'platform', x: value })).toBe(expected);
  });

  it('does not take one number beyond 2^53 for its neighbour', () => {
    const claims = JSON.parse('{"aud": "platform", "id": 9007199254740993}') as Record<string, unknown>;
    expect(matchesClaims({ ...aud, id: '9007199254740992' }, claims)).toBe(false);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'finds no inherited member when the required claim is called %s',
    (name) => {
      const patterns = JSON.parse(`{"aud": "platform", "${name}": "*"}`) as Record<string, string>;
      expect(matchesClaims(patterns, { aud: 'platform' })).toBe(false);
    },
  );

  it('matches a claim that really is called __proto__', () => {
    const claims = JSON.parse('{"aud": "platform", "__proto__": "x"}') as Record<string, unknown>;
    const patterns = JSON.parse('{"aud": "platform", "__proto__": "x"}') as Record<string, string>;
    expect(matchesClaims(patterns, claims)).toBe(true);
  });
});
