import { RE2JS } from 're2js';
import { type Condition, toConditions } from './ecma-to-re2.ts';

/** A compiled regular expression of a schema. */
export interface Pattern {
  /** `linear`: the time is proportional to the text. `backtracking`: it may be exponential, so it needs a deadline. */
  readonly kind: 'linear' | 'backtracking';
  /** The maximum cost per character in engine steps; meaningless for `backtracking`. */
  readonly cost: number;
  /** Whether the expression matches somewhere in the text. */
  test(text: string): boolean;
  /** Returns the source, which ajv uses to identify the pattern. */
  toString(): string;
}

/** The maximum fixed cost per character, for building a new state of the automaton. */
const baseCost = 200;

/**
 * Compiles an ECMA-262 expression with the `u` flag (Core, section 6.4), for the linear engine if possible. Attack: `^(a+)+$` takes
 * exponential time with backtracking. Throws SyntaxError for an invalid source.
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
    // The program exceeds the limits of the engine.
    return [];
  }
}
