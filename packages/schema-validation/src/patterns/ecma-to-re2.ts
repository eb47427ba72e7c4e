import { type AST, RegExpParser } from '@eslint-community/regexpp';
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

/** A condition on a text: an expression in RE2 syntax, and whether it must match. */
export interface Condition {
  readonly expression: string;
  readonly expected: boolean;
}

/** A construct without an equivalent in RE2. */
class UnsupportedPatternError extends Error {}

/** The maximum repeat count that RE2 accepts. */
const maxRepeats = 1_000;

/** The maximum number of program steps. Counted repetition is expanded, so larger programs compile and run too slowly. */
const maxProgramSize = 10_000;

const parser = new RegExpParser({ ecmaVersion: 2024 });

/**
 * Translates an ECMA-262 regular expression with the `u` flag into RE2 conditions that must all hold. They decide whether a text
 * matches, not where. Returns undefined for an invalid source, and for backreferences, lookaheads that are not leading, and
 * programs or counts that are too large for RE2.
 */
export function toConditions(source: string): readonly Condition[] | undefined {
  try {
    const { alternatives } = parser.parsePattern(source, 0, source.length, { unicode: true });
    return sizeOf(alternatives) > maxProgramSize ? undefined : conditions(alternatives);
  } catch {
    return undefined;
  }
}

/** Splits leading lookaheads, the usual form of password rules: `^(?=A)(?!B)C` means `^A` and not `^B` and `^C`. */
function conditions(alternatives: readonly AST.Alternative[]): readonly Condition[] {
  const [first, ...others] = alternatives;
  const [start, ...rest] = first?.elements ?? [];
  if (others.length > 0 || start?.type !== 'Assertion' || start.kind !== 'start')
    return [{ expression: choice(alternatives), expected: true }];
  const end = rest.findIndex((element) => element.type !== 'Assertion' || element.kind !== 'lookahead');
  const lookaheads = (end === -1 ? rest : rest.slice(0, end)) as AST.LookaheadAssertion[];
  const body = rest.slice(lookaheads.length).map(expression).join('');
  return [
    { expression: `\\A${body}`, expected: true },
    ...lookaheads.map((lookahead) => ({
      expression: `\\A${choice(lookahead.alternatives)}`,
      expected: !lookahead.negate,
    })),
  ];
}

function sizeOf(alternatives: readonly AST.Alternative[]): number {
  let size = 0;
  for (const { elements } of alternatives) for (const element of elements) size += elementSize(element);
  return size;
}

function elementSize(element: AST.Element): number {
  if ('alternatives' in element) return 1 + sizeOf(element.alternatives);
  if (element.type !== 'Quantifier') return 1;
  const { min, max } = element;
  return elementSize(element.element) * (max === Number.POSITIVE_INFINITY ? min + 1 : max);
}

function choice(alternatives: readonly AST.Alternative[]): string {
  return `(?:${alternatives.map(({ elements }) => elements.map(expression).join('')).join('|')})`;
}

function expression(element: AST.Element): string {
  switch (element.type) {
    case 'Assertion':
      return assertion(element);
    case 'Quantifier':
      return `(?:${expression(element.element)})${quantity(element)}`;
    case 'Group':
    case 'CapturingGroup':
      return choice(element.alternatives);
    case 'Character':
      return escaped(element.value);
    case 'CharacterSet':
    case 'CharacterClass':
      return characterClass(codePoints(element));
    default:
      throw new UnsupportedPatternError(element.type);
  }
}

function assertion(element: AST.Assertion): string {
  switch (element.kind) {
    case 'start':
      return '\\A';
    case 'end':
      return '\\z';
    case 'word':
      return element.negate ? '\\B' : '\\b';
    case 'lookbehind':
      return `(?<${element.negate ? '!' : '='}${choice(element.alternatives)})`;
    default:
      throw new UnsupportedPatternError(element.kind);
  }
}

/** Ignores greediness, which does not affect whether there is a match. */
function quantity({ min, max }: AST.Quantifier): string {
  if (min > maxRepeats || (max > maxRepeats && max !== Number.POSITIVE_INFINITY))
    throw new UnsupportedPatternError();
  return max === Number.POSITIVE_INFINITY ? `{${min},}` : `{${min},${max}}`;
}

function codePoints(element: AST.CharacterClassElement | AST.CharacterSet | AST.CharacterClass): CodePoints {
  switch (element.type) {
    case 'Character':
      return [[element.value, element.value]];
    case 'CharacterClassRange':
      return [[element.min.value, element.max.value]];
    case 'CharacterSet':
      return characterSet(element);
    case 'CharacterClass': {
      const members = union(element.elements.flatMap((member) => codePoints(member as typeof element)));
      return element.negate ? complement(members) : members;
    }
    default:
      throw new UnsupportedPatternError(element.type);
  }
}

function characterSet(element: AST.CharacterSet): CodePoints {
  if (element.kind === 'any') return allButLineTerminators;
  if (element.kind === 'property') return withProperty(element.raw);
  const members = { digit: digits, space: spaces, word: wordCharacters }[element.kind];
  return element.negate ? complement(members) : members;
}

function characterClass(set: CodePoints): string {
  if (set.length === 0) return '[^\\x{0}-\\x{10FFFF}]';
  return `[${set.map(([from, to]) => `${escaped(from)}-${escaped(to)}`).join('')}]`;
}

function escaped(codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`;
}
