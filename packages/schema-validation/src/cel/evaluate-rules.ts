import type { Fault } from '@platform/kernel';
import { isObject, type Json, type JsonObject, step } from '../json.ts';
import type { Rule, RuleSet } from './compile-rules.ts';
import { correlated, optional, toCel } from './values.ts';

/** The object that a spec belongs to. */
export interface RuleObject {
  readonly name: string;
  /** The spec before the write; undefined on a create. */
  readonly before: Json | undefined;
}

/** The faults of a spec by the rules of its schema, at most `limit`. The spec must match the schema. */
export function evaluateRules(
  rules: RuleSet,
  schema: Json,
  spec: Json,
  object: RuleObject | null,
  limit: number,
): Fault[] {
  const faults: Fault[] = [];
  visit(rules, schema, spec, object?.before, '', faults, limit);
  if (object === null || rules.ofObject.length === 0) return faults;
  const whole = (part: Json) =>
    new Map<string, unknown>([
      ['metadata', new Map([['name', object.name]])],
      ['spec', toCel(part, schema)],
    ]);
  const before = object.before === undefined ? undefined : whole(object.before);
  for (const rule of rules.ofObject) {
    const message = failureOf(rule, whole(spec), before);
    if (message !== null && faults.length < limit)
      faults.push(faultOf(rule, rule.fieldPath.replace(/^\/spec/, ''), message));
  }
  return faults;
}

function visit(
  rules: RuleSet,
  schema: Json | undefined,
  value: Json,
  before: Json | undefined,
  pointer: string,
  faults: Fault[],
  limit: number,
): void {
  // Null is no value of the type that rules are about.
  if (!isObject(schema) || value === null || faults.length >= limit) return;
  const own = rules.bySchema.get(schema);
  if (own !== undefined) {
    const self = toCel(value, schema);
    const oldSelf = before === undefined || before === null ? undefined : toCel(before, schema);
    for (const rule of own) {
      const message = failureOf(rule, self, oldSelf);
      if (message !== null && faults.length < limit)
        faults.push(faultOf(rule, `${pointer}${rule.fieldPath}`, message));
    }
  }
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      visit(
        rules,
        schema['items'],
        item,
        correlated(schema, before, item),
        step(pointer, index),
        faults,
        limit,
      );
    });
  } else if (isObject(value)) visitMembers(rules, schema, value, before, pointer, faults, limit);
}

function visitMembers(
  rules: RuleSet,
  schema: JsonObject,
  value: JsonObject,
  before: Json | undefined,
  pointer: string,
  faults: Fault[],
  limit: number,
): void {
  const { properties, additionalProperties } = schema;
  for (const [name, member] of Object.entries(value)) {
    const declared = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const old = isObject(before) && Object.hasOwn(before, name) ? before[name] : undefined;
    visit(rules, declared ?? additionalProperties, member, old, step(pointer, name), faults, limit);
  }
}

function faultOf({ reason }: Rule, path: string, message: string): Fault {
  return { path, message, ...(reason === undefined ? {} : { reason }) };
}

/** The message of the fault when the value breaks the rule, or the rule cannot be evaluated for it; else null. */
function failureOf(rule: Rule, self: unknown, oldSelf: unknown): string | null {
  if (rule.isTransition && oldSelf === undefined && !rule.optionalOldSelf) return null;
  const context = { self, oldSelf: rule.optionalOldSelf ? optional(oldSelf) : (oldSelf ?? null) };
  try {
    if (rule.evaluate(context) === true) return null;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return `rule cannot be evaluated: ${(error as Error).message.split('\n')[0]}`;
  }
  try {
    const said = rule.messageExpression?.(context);
    return typeof said === 'string' && said.trim() !== '' ? said : rule.message;
  } catch {
    return rule.message;
  }
}
