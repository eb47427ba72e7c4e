import type { ParseResult } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';

type Node = ParseResult['ast'];

/** The functions whose first argument is a regular expression. `matchesRe2` is the name that `withRe2` gives `matches`. */
const takesExpression = ['matchesRe2', 'find', 'findAll'];

/**
 * Throws for the first regular expression that a rule writes as a constant and that is not valid. Without this the rule would be stored,
 * and then refuse every value. Expressions that a rule computes are only known when it runs.
 */
export function requireValidExpressions(ast: Node): void {
  const pending: unknown[] = [ast];
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next)) {
      pending.push(...[...next].reverse());
      continue;
    }
    if (!isNode(next)) continue;
    if (next.op === 'rcall' && takesExpression.includes(next.args[0])) requireValid(next.args[2][0]);
    pending.push(next.args);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

function requireValid(argument: Node | undefined): void {
  if (argument?.op !== 'value' || typeof argument.args !== 'string') return;
  try {
    RE2JS.compile(argument.args);
  } catch (error) {
    const why = (error as Error).message.replace(/^error parsing regexp: /, '');
    throw new Error(`the regular expression ${JSON.stringify(argument.args)} is not valid (${why})`);
  }
}
