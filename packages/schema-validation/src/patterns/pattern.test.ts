import fc from 'fast-check';
import { compilePattern } from './pattern.ts';

describe('patterns', () => {
  it.each([
    ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'],
    ['^(a+)+$'],
    ['\\p{Lu}\\P{L}[^\\d\\s\\w]\\u{1F600}'],
    ['(?<=a|bc)d(?<!e)'],
    ['^(?=.{1,253}\\/)(?!x)[a-z]+(?:\\.[a-z]+)*\\/[a-z0-9]+$'],
    ['(?<name>a)|[]|[^]'],
  ])('run %s in linear time', (source) => {
    expect(compilePattern(source).kind).toBe('linear');
  });

  it.each([
    ['a backreference', '(a)\\1'],
    ['a lookahead that does not lead', 'a(?=b)'],
    ['a leading lookahead in one of several alternatives', '^(?=a)b|c'],
    ['a count over 1,000', 'a{1001}'],
    ['a program that is too large', '(?:a{100}b{100}){90}'],
  ])('use backtracking for %s', (_, source) => {
    expect(compilePattern(source).kind).toBe('backtracking');
  });

  it('take linear time where backtracking would be exponential', () => {
    expect(compilePattern('^(a+)+$').test(`${'a'.repeat(100_000)}!`)).toBe(false);
    expect(compilePattern('^(?=(?:a|a)+$)').test(`${'a'.repeat(100_000)}!`)).toBe(false);
  });

  it('are rejected if invalid with the u flag', () => {
    for (const source of ['(', '\\-', 'a{2,1}', '\\Z'])
      expect(() => compilePattern(source)).toThrow(SyntaxError);
  });

  it('treat a character beyond the basic plane as one', () => {
    expect(compilePattern('^.$').test('😀')).toBe(true);
    expect(compilePattern('^[^a]{2}$').test('😀')).toBe(false);
    expect(compilePattern('^[\\u{1F600}-\\u{1F64F}]+$').test('😀😃')).toBe(true);
    // ECMA-262 has no position inside a surrogate pair, but the built-in engine finds one and returns true.
    expect(compilePattern('\\B').test('a😀a')).toBe(false);
  });

  it('match the same texts as the built-in engine, for random patterns', () => {
    const atom = fc.constantFrom(
      ...[
        'a',
        'b',
        '.',
        '\\d',
        '\\D',
        '\\w',
        '\\W',
        '\\s',
        '\\S',
        '[a-c]',
        '[^a\\n]',
        '[^]',
        '[]',
        '\\u{1F600}',
        '\\n',
        '\\p{L}',
      ],
    );
    const edge = fc.constantFrom('^', '$', '\\b', '\\B', '(?<=a)', '(?<!a|bb)');
    const quantifier = fc.constantFrom('', '', '*', '+?', '?', '{2}', '{0,2}', '{0}', '{1,}');
    const { source } = fc.letrec<{ source: string; part: string }>((tie) => ({
      source: fc
        .array(fc.array(tie('part'), { maxLength: 4 }), { minLength: 1, maxLength: 2 })
        .map((alternatives) => alternatives.map((parts) => parts.join('')).join('|')),
      part: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        edge,
        fc.tuple(atom, quantifier).map((both) => both.join('')),
        fc.tuple(tie('source'), quantifier).map(([inner, times]) => `(${inner})${times}`),
      ),
    }));
    const leading = fc.constantFrom('', '', '^', '^(?=a)', '^(?!a|.b)', '^(?=.*b)(?!.*c$)');
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', '1', '_', ' ', '\n', '\u2028', 'é'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(leading, source, text, (lead, body, subject) => {
        const pattern = lead.includes('?') ? `${lead}(?:${body})` : lead + body;
        expect(compilePattern(pattern).test(subject)).toBe(new RegExp(pattern, 'u').test(subject));
      }),
      { numRuns: 1_000 },
    );
  });
});
