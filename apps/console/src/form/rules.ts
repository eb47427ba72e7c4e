import { type Schema, unfold } from '../editor/schema-help.ts';

/** The rules of a schema for a text or a number. */
export interface Rules {
  readonly isInteger: boolean;
  readonly least?: Bound | undefined;
  readonly most?: Bound | undefined;
  readonly shortest?: number | undefined;
  readonly longest?: number | undefined;
  readonly pattern?: string | undefined;
}

interface Bound {
  readonly value: number | bigint;
  /** Whether the value itself is not allowed any more. */
  readonly isOpen: boolean;
}

/** The rules of a place, each from the first schema that has it. */
export function rulesOf(schema: Schema, root: Schema): Rules {
  const all = unfold(schema, root);
  const first = <T>(read: (one: Schema) => T | undefined) =>
    all.map(read).find((found) => found !== undefined);
  return {
    isInteger: all.some(({ type }) => type === 'integer'),
    least: first(({ minimum, exclusiveMinimum }) => boundOf(minimum, exclusiveMinimum)),
    most: first(({ maximum, exclusiveMaximum }) => boundOf(maximum, exclusiveMaximum)),
    shortest: first(({ minLength }) => (minLength === 0 ? undefined : minLength)),
    longest: first(({ maxLength }) => maxLength),
    pattern: first(({ pattern }) => pattern),
  };
}

/** OpenAPI 3.0 marks a limit as exclusive by a truth value, JSON Schema has one of its own. */
function boundOf(
  limit: number | bigint | undefined,
  exclusive: Schema['exclusiveMinimum'],
): Bound | undefined {
  if (typeof exclusive === 'number' || typeof exclusive === 'bigint')
    return { value: exclusive, isOpen: true };
  return limit === undefined ? undefined : { value: limit, isOpen: exclusive === true };
}

/** The rules in words; undefined when there are none. */
export function rulesText({ least, most, shortest, longest, pattern }: Rules): string | undefined {
  const parts = [
    least === undefined ? '' : `${least.isOpen ? 'more than' : 'at least'} ${least.value}`,
    most === undefined ? '' : `${most.isOpen ? 'less than' : 'at most'} ${most.value}`,
    shortest === undefined ? '' : `at least ${charactersText(shortest)}`,
    longest === undefined ? '' : `at most ${charactersText(longest)}`,
    pattern === undefined ? '' : `matching ${pattern}`,
  ].filter((part) => part !== '');
  if (parts.length === 0) return undefined;
  const text = parts.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function charactersText(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

/** The rule that a value breaks, but for its pattern; undefined for none, and for an empty value. */
export function brokenRule(rules: Rules, value: string, isNumber: boolean): string | undefined {
  if (value === '') return undefined;
  if (isNumber) return brokenByNumber(rules, value);
  const { shortest, longest } = rules;
  // As the server counts them: in code points.
  const { length } = [...value];
  if (shortest !== undefined && length < shortest)
    return `It must have at least ${charactersText(shortest)}.`;
  if (longest !== undefined && length > longest) return `It must have at most ${charactersText(longest)}.`;
  return undefined;
}

function brokenByNumber({ isInteger, least, most }: Rules, value: string): string | undefined {
  const number = /^-?\d+$/.test(value) ? BigInt(value) : value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isNaN(number)) return 'It must be a number.';
  if (isInteger && typeof number === 'number' && !Number.isInteger(number)) return 'It must be an integer.';
  if (least !== undefined && (least.isOpen ? number <= least.value : number < least.value)) {
    return `It must be ${least.isOpen ? 'more than' : 'at least'} ${least.value}.`;
  }
  if (most !== undefined && (most.isOpen ? number >= most.value : number > most.value)) {
    return `It must be ${most.isOpen ? 'less than' : 'at most'} ${most.value}.`;
  }
  return undefined;
}
