import { type Labels, labelKeyFault, labelValueFault } from './labels.ts';
import { SelectorFault } from './selector-fault.ts';

/** One condition on the labels. `notIn` and `doesNotExist` also match resources without the key; `gt` and `lt` compare integers. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'in' | 'notIn' | 'exists' | 'doesNotExist' | 'gt' | 'lt';
  /** At least one for `in` and `notIn`, one integer without leading zeros for `gt` and `lt`, none otherwise. */
  readonly values: readonly string[];
}

/** Conditions that all hold; [] matches every resource. */
export type LabelSelector = readonly LabelRequirement[];

/** Whether the labels fulfil every requirement. */
export function matchesLabels(selector: LabelSelector, labels: Labels): boolean {
  return selector.every(({ key, operator, values }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    switch (operator) {
      case 'exists':
        return value !== undefined;
      case 'doesNotExist':
        return value === undefined;
      case 'in':
        return value !== undefined && values.includes(value);
      case 'notIn':
        return value === undefined || !values.includes(value);
      default:
        if (value === undefined || !integer.test(value)) return false;
        return operator === 'gt'
          ? BigInt(value) > BigInt(values[0] ?? '')
          : BigInt(value) < BigInt(values[0] ?? '');
    }
  });
}

/** An integer that a label value can be; labels cannot begin with a sign. */
const integer = /^\d+$/;

/** Kubernetes compares integers of 64 bits. */
const largestInteger = 2n ** 63n - 1n;

/** Parses a label selector in the grammar of Kubernetes. @throws SelectorFault with the position of the fault. */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = new Tokens(text);
  const requirements: LabelRequirement[] = [];
  if (tokens.peek().text === '') return requirements;
  for (;;) {
    requirements.push(parseRequirement(tokens));
    const next = tokens.take();
    if (next.text === '') return requirements;
    if (next.text !== ',') throw new SelectorFault('expected a comma or the end', next.at);
  }
}

function parseRequirement(tokens: Tokens): LabelRequirement {
  const isNegated = tokens.peek().text === '!';
  if (isNegated) tokens.take();
  const { text: key, at } = tokens.take();
  if (key === '' || isSpecial(key)) throw new SelectorFault('expected a label key', at);
  const fault = labelKeyFault(key);
  if (fault !== null) throw new SelectorFault(fault, at);
  if (isNegated) return { key, operator: 'doesNotExist', values: [] };
  const next = tokens.peek().text;
  if (next === '' || next === ',') return { key, operator: 'exists', values: [] };
  return { key, ...parseCondition(tokens) };
}

function parseCondition(tokens: Tokens): Pick<LabelRequirement, 'operator' | 'values'> {
  const { text, at } = tokens.take();
  switch (text) {
    case '=':
    case '==':
      return { operator: 'in', values: [parseValue(tokens)] };
    case '!=':
      return { operator: 'notIn', values: [parseValue(tokens)] };
    case 'in':
      return { operator: 'in', values: parseValues(tokens) };
    case 'notin':
      return { operator: 'notIn', values: parseValues(tokens) };
    case '>':
    case '<':
      return { operator: text === '>' ? 'gt' : 'lt', values: [parseInteger(tokens)] };
    default:
      throw new SelectorFault('expected one of =, ==, !=, in, notin, > and <', at);
  }
}

/** A value; nothing stands for the empty value. */
function parseValue(tokens: Tokens): string {
  const { text, at } = tokens.peek();
  if (text === '' || text === ',' || text === ')') return '';
  if (isSpecial(text)) throw new SelectorFault('expected a value', at);
  const fault = labelValueFault(text);
  if (fault !== null) throw new SelectorFault(fault, at);
  return tokens.take().text;
}

function parseValues(tokens: Tokens): readonly string[] {
  const open = tokens.take();
  if (open.text !== '(') throw new SelectorFault('expected (', open.at);
  const values = new Set<string>();
  for (;;) {
    values.add(parseValue(tokens));
    const next = tokens.take();
    if (next.text === ')') return [...values];
    if (next.text !== ',') throw new SelectorFault('expected a comma or )', next.at);
  }
}

function parseInteger(tokens: Tokens): string {
  const { text, at } = tokens.take();
  if (!integer.test(text) || BigInt(text) > largestInteger)
    throw new SelectorFault(`expected an integer from 0 to ${largestInteger}`, at);
  return BigInt(text).toString();
}

interface Token {
  /** Empty at the end. */
  readonly text: string;
  readonly at: number;
}

function isSpecial(text: string): boolean {
  return /^[()!=<>,]/.test(text);
}

/** The tokens of a selector, with one token of look-ahead. */
class Tokens {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): Token {
    const start = this.#at;
    const token = this.take();
    this.#at = start;
    return token;
  }

  take(): Token {
    const pattern = /[ \t\r\n]*([()<>,]|==?|!=?|[^()!=<>,\s]+)?/y;
    pattern.lastIndex = this.#at;
    const [all = '', text = ''] = pattern.exec(this.#text) ?? [];
    const at = this.#at + all.length - text.length;
    if (text === '' && at < this.#text.length)
      throw new SelectorFault('this character has no place here', at);
    this.#at += all.length;
    return { text, at };
  }
}
