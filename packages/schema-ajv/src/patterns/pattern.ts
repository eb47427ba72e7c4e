import { RE2JS } from 're2js';
import { type Condition, toConditions } from './ecma-to-re2.ts';

/** A compiled regular expression of a schema. */
export interface Pattern {
  /** `linear`: time is proportional to the text. `backtracking`: it may be exponential, so run it under a deadline. */
  readonly kind: 'linear' | 'backtracking';
  /** What one character of a text may cost, in steps of about 10 ns; meaningless where it may backtrack. */
  readonly cost: number;
  /** Whether the expression matches somewhere in the text. */
  test(text: string): boolean;
  /** The source, by which ajv tells patterns apart. */
  toString(): string;
}

/** What a character takes at most however small the program: 2 µs, to build a new state of the automaton. */
const baseCost = 200;

/**
 * Compiles an expression of ECMA-262 with the `u` flag (Core, section 6.4). `^(a+)+$` is harmless on the linear
 * engine; what that engine cannot express falls back to the built-in one. Throws SyntaxError for a bad source.
 */
export function compilePattern(source: string): Pattern {
  const native = new RegExp(source, 'u');
  const linear = compileLinear(toConditions(source) ?? []);
  if (linear.length === 0)
    return {
      kind: 'backtracking',
      cost: baseCost,
      test: (text) => native.test(text),
      toString: () => source,
    };
  return {
    kind: 'linear',
    cost: linear.reduce((sum, { program }) => sum + program.programSize() + baseCost, 0),
    test: (text) => linear.every(({ program, expected }) => program.test(text) === expected),
    toString: () => source,
  };
}

function compileLinear(conditions: readonly Condition[]): { program: RE2JS; expected: boolean }[] {
  try {
    return conditions.map(({ expression, expected }) => ({
      program: RE2JS.compile(expression, RE2JS.LOOKBEHINDS),
      expected,
    }));
  } catch {
    // Its own bounds: the program would be too large.
    return [];
  }
}
