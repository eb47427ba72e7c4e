import { parseReason } from './change-context.ts';

it.each([
  [undefined, null],
  ['  ', null],
  [' rotate the keys ', 'rotate the keys'],
  ['Schlüssel 🔑', 'Schlüssel 🔑'],
  ['🔑'.repeat(1_024), '🔑'.repeat(1_024)],
])('reads the reason of %j', (text, reason) => {
  expect(parseReason(text)).toBe(reason);
});

it.each(['a\u0000b', 'a\tb', 'a\u2028b', 'a\u001b[2Jb'])('refuses %j, which is not printable', (text) => {
  expect(() => parseReason(text)).toThrow('printable');
});

it('refuses more than 1,024 characters', () => {
  expect(() => parseReason('x'.repeat(1_025))).toThrow('1024');
});
