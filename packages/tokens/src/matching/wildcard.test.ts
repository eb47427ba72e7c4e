import { matchesWildcard } from './wildcard.ts';

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
