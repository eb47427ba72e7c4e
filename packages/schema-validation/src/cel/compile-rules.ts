import type { Environment, ParseResult } from '@marcbachmann/cel-js';
import type { Fault, FaultReason } from '@platform/kernel';
import { isObject, type Json, type JsonObject, step } from '../json.ts';
import { requireValidExpressions } from './constant-expressions.ts';
import { ruleEnvironment } from './environment.ts';
import { withOptionalHas, withRe2 } from './rewrite-rule.ts';

/** The keyword that holds the rules of a subschema. */
const keyword = 'x-kubernetes-validations';

/** Rules of one schema, at most; each is evaluated for every value at its place. */
const maxRules = 1_000;

/** The longest rule, as in Kubernetes. */
const maxRuleLength = 10_000;

/** The reasons that a rule may give, as in Kubernetes. */
const ruleReasons: readonly FaultReason[] = [
  'FieldValueInvalid',
  'FieldValueForbidden',
  'FieldValueRequired',
  'FieldValueDuplicate',
];

/** A rule that can be evaluated. */
export interface Rule {
  readonly evaluate: ParseResult;
  /** The message of the fault, if the expression gives none. */
  readonly message: string;
  readonly messageExpression: ParseResult | null;
  /** JSON pointer below the value, to the field that the fault names. */
  readonly fieldPath: string;
  /** Of the fault; undefined for a rule that gives none. */
  readonly reason: FaultReason | undefined;
  /** Whether it compares with the value before the write. */
  readonly isTransition: boolean;
  /** Whether it also runs when there is no value before, with an empty `oldSelf`. */
  readonly optionalOldSelf: boolean;
}

/** The rules of a schema, by the subschema that has them, and those of whole objects. */
export interface RuleSet {
  readonly bySchema: ReadonlyMap<JsonObject, readonly Rule[]>;
  readonly ofObject: readonly Rule[];
  /** Why rules cannot be enforced, by their place in the schema. */
  readonly faults: readonly Fault[];
}

let environment: Environment | undefined;

/** Compiles every rule of a schema. Null when it has none. */
export function compileRules(schema: Json): RuleSet | null {
  const bySchema = new Map<JsonObject, readonly Rule[]>();
  const faults: Fault[] = [];
  let count = 0;
  const compileAll = (holder: JsonObject, pointer: string, correlates: boolean): Rule[] => {
    const listed = holder[keyword] ?? [];
    if (!Array.isArray(listed)) {
      // Its author believes that a single rule without a list is enforced.
      faults.push({ path: step(pointer, keyword), message: 'must be a list of rules' });
      return [];
    }
    return listed.flatMap((one, index) => {
      const at = step(step(pointer, keyword), index);
      if (++count > maxRules) return [];
      const compiled = compileRule(one, correlates);
      if (typeof compiled !== 'string') return [compiled];
      faults.push({ path: step(at, 'rule'), message: compiled });
      return [];
    });
  };
  const visit = (place: Json | undefined, pointer: string, correlates: boolean): void => {
    if (!isObject(place)) return;
    const rules = compileAll(place, pointer, correlates);
    if (rules.length > 0) bySchema.set(place, rules);
    const { properties, items, additionalProperties } = place;
    if (isObject(properties))
      for (const [name, part] of Object.entries(properties))
        visit(part, step(step(pointer, 'properties'), name), correlates);
    visit(items, step(pointer, 'items'), correlates && place['x-kubernetes-list-type'] === 'map');
    visit(additionalProperties, step(pointer, 'additionalProperties'), correlates);
  };
  visit(schema, '', true);
  const around = isObject(schema) ? objectSchema(schema) : undefined;
  const ofObject = around === undefined ? [] : compileAll(around, '/x-kubernetes-version/schema', true);
  // Those of the status are enforced where it is written; here they are only checked.
  const parts = around?.['properties'];
  if (isObject(parts)) visit(parts['status'], '/x-kubernetes-version/schema/properties/status', true);
  if (count > maxRules) faults.push({ path: '', message: `has more than ${maxRules} rules (${keyword})` });
  return count + faults.length === 0 ? null : { bySchema, ofObject, faults };
}

/** The schema of whole objects around that of their spec, of a definition that came from Kubernetes. */
export function objectSchema(schema: JsonObject): JsonObject | undefined {
  const version = schema['x-kubernetes-version'];
  const around = isObject(version) ? version['schema'] : undefined;
  return isObject(around) ? around : undefined;
}

/** The rule, or why it cannot be enforced. */
function compileRule(source: Json, correlates: boolean): Rule | string {
  if (!isObject(source) || typeof source['rule'] !== 'string') return 'must be a rule';
  const { rule, message, messageExpression, fieldPath, reason, optionalOldSelf } = source as Record<
    string,
    Json
  >;
  const text = String(rule);
  const isTransition = /\boldSelf\b/.test(text);
  if (isTransition && !correlates)
    return `cannot be enforced: oldSelf has no counterpart in lists that are not of type map: ${text}`;
  try {
    const evaluate = parse(text);
    const said = typeof message === 'string' ? message.trim() : '';
    return {
      evaluate,
      message: said === '' ? `failed rule: ${text}` : said,
      messageExpression: typeof messageExpression === 'string' ? parse(messageExpression) : null,
      fieldPath: pointerOf(typeof fieldPath === 'string' ? fieldPath : ''),
      reason: ruleReasons.find((one) => one === reason),
      isTransition,
      optionalOldSelf: optionalOldSelf === true,
    };
  } catch (error) {
    return `cannot be enforced: ${(error as Error).message.split('\n')[0]}: ${text}`;
  }
}

function parse(text: string): ParseResult {
  if (text.length > maxRuleLength) throw new Error(`has more than ${maxRuleLength} characters`);
  environment ??= ruleEnvironment();
  const parsed = environment.parse(withRe2(withOptionalHas(text)));
  const { valid, error } = parsed.check();
  if (!valid) throw error ?? new Error('is not valid');
  requireValidExpressions(parsed.ast);
  return parsed;
}

/** `.spec.a['b']` as a JSON pointer. */
function pointerOf(fieldPath: string): string {
  let pointer = '';
  for (const [, name, quoted] of fieldPath.matchAll(/\.([^.[\]]+)|\['([^']*)'\]/g))
    pointer = step(pointer, name ?? quoted ?? '');
  return pointer;
}
