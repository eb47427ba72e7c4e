import {
  allButLineTerminators,
  type CodePoints,
  complement,
  digits,
  spaces,
  union,
  withProperty,
  wordCharacters,
} from './code-points.ts';

const contains = (set: CodePoints, codePoint: number): boolean =>
  set.some(([from, to]) => codePoint >= from && codePoint <= to);

/** Code points in which classes differ: the beginnings of the first two planes, and samples of the others. */
const samples = Array.from({ length: 0x3100 }, (_, index) => index).concat([
  0xd7ff, 0xe000, 0xfeff, 0xffff, 0x10000, 0x1f600, 0x2ffff, 0xe0001, 0x10ffff,
]);

describe('code points', () => {
  it.each([
    ['\\d', digits],
    ['\\w', wordCharacters],
    ['\\s', spaces],
    ['.', allButLineTerminators],
    ['\\p{L}', withProperty('\\p{L}')],
    ['\\P{Script=Greek}', withProperty('\\P{Script=Greek}')],
  ])('of %s equal those of the built-in engine', (source, set) => {
    const native = new RegExp(source, 'u');
    const differing = samples.filter(
      (code) => native.test(String.fromCodePoint(code)) !== contains(set, code),
    );
    expect(differing).toEqual([]);
  });

  it('merge touching ranges, and have the rest of Unicode as complement', () => {
    const set = union([
      [5, 9],
      [0, 2],
      [3, 4],
      [20, 20],
    ]);
    expect(set).toEqual([
      [0, 9],
      [20, 20],
    ]);
    expect(complement(set)).toEqual([
      [10, 19],
      [21, 0x10ffff],
    ]);
    expect(complement(complement(set))).toEqual(set);
    expect(complement([])).toEqual([[0, 0x10ffff]]);
  });
});
