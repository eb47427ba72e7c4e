import { setTimeout as delay } from 'node:timers/promises';
import { matchesClaims, matchesTexts, matchesWildcard, readClaimTexts } from './match-claims.ts';

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

  // Attack: a project has a thousand accounts of one issuer, which lists thousands of values in its token.
  it('reads a claim and a pattern once, however many values and accounts there are', async () => {
    const texts = readClaimTexts({ aud: 'platform', ids: Array.from({ length: 2_800 }, () => 7) });
    const patterns = { ids: `*${'a*'.repeat(511)}x`, ...aud };
    for (let account = 0; account < 1_000; account += 1) expect(matchesTexts(patterns, texts)).toBe(false);
    await delay(0);
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

describe('a wildcard pattern', () => {
  it.each([
    ['ctrl-*', 'ctrl-1'],
    ['ctrl-*', 'ctrl-'],
    ['*', ''],
    ['*', 'anything at all'],
    ['**', 'x'],
    ['*-prod', 'eu-prod'],
    ['a*b*c', 'a1b2c'],
    ['a*b*c', 'abbc'],
    ['repo:*:ref:*', 'repo:acme/app:ref:refs/heads/main'],
    ['a*a', 'aa'],
    ['', ''],
    ['*\u{1F600}*', 'x\u{1F600}y'],
  ])('%j matches %j', (pattern, text) => {
    expect(matchesWildcard(pattern, text)).toBe(true);
  });

  it.each([
    ['ctrl-*', 'xctrl-1', 'the whole value counts, from its beginning'],
    ['*-prod', 'eu-prod-attacker', 'the whole value counts, to its end'],
    ['a.example', 'aXexample', 'a dot is a dot'],
    [
      'https://github.com/acme/*',
      'https://github.com.attacker.example/acme/x',
      'the host cannot be continued',
    ],
    ['ctrl-*', 'CTRL-1', 'case counts'],
    ['ab*ba', 'aba', 'prefix and suffix share no character'],
    ['a*a', 'a', 'prefix and suffix share no character'],
    ['a*bc*c', 'abc', 'a part and the suffix share no character'],
    ['a*b*c', 'acb', 'the order counts'],
    ['[a-z]*', 'b', 'a class is no class'],
    ['a?', 'ab', 'a question mark is a question mark'],
    ['a\\*', 'ab', 'a backslash escapes nothing'],
    ['x', '', 'an empty text does not match a letter'],
    ['a', 'a\n', 'a line break is a character'],
  ])('%j does not match %j: %s', (pattern, text) => {
    expect(matchesWildcard(pattern, text)).toBe(false);
  });

  it('takes no time to speak of for a pattern that would drive a regular expression mad', () => {
    const started = process.cpuUsage();
    expect(matchesWildcard(`${'*a'.repeat(500)}*b`, 'a'.repeat(8000))).toBe(false);
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
  });
});
