import type { Fault } from '@platform/kernel';
import { isObject, type Json, type JsonObject, step } from '../json.ts';
import type { Rule, RuleSet } from './compile-rules.ts';
import { correlation, optional, toCel } from './values.ts';

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
  const evaluation = new Evaluation(rules, limit);
  evaluation.visit(schema, spec, object?.before, '');
  if (object !== null && rules.ofObject.length > 0) {
    const whole = (part: Json) =>
      new Map<string, unknown>([
        ['metadata', new Map([['name', object.name]])],
        ['spec', toCel(part, schema)],
      ]);
    const before = object.before === undefined ? undefined : whole(object.before);
    for (const rule of rules.ofObject) {
      evaluation.apply(rule, whole(spec), before, rule.fieldPath.replace(/^\/spec/, ''));
    }
  }
  return evaluation.faults;
}

/** Collects the faults of one spec, at most `limit`. */
class Evaluation {
  readonly faults: Fault[] = [];
  readonly #rules: RuleSet;
  readonly #limit: number;

  constructor(rules: RuleSet, limit: number) {
    this.#rules = rules;
    this.#limit = limit;
  }

  /** Applies the rules of a schema to a value, and those of its subschemas to the values inside. */
  visit(schema: Json | undefined, value: Json, before: Json | undefined, pointer: string): void {
    // Rules are about values of their type, so not about null.
    if (!isObject(schema) || value === null || this.faults.length >= this.#limit) return;
    const own = this.#rules.bySchema.get(schema);
    if (own !== undefined) {
      const self = toCel(value, schema);
      const oldSelf = before === undefined || before === null ? undefined : toCel(before, schema);
      for (const rule of own) this.apply(rule, self, oldSelf, `${pointer}${rule.fieldPath}`);
    }
    if (Array.isArray(value)) {
      const itemBefore = correlation(schema, before);
      value.forEach((item, index) => {
        this.visit(schema['items'], item, itemBefore(item), step(pointer, index));
      });
    } else if (isObject(value)) this.#visitMembers(schema, value, before, pointer);
  }

  /** Evaluates one rule; `path` is the place of its fault. */
  apply(rule: Rule, self: unknown, oldSelf: unknown, path: string): void {
    const message = failureOf(rule, self, oldSelf);
    if (message === null || this.faults.length >= this.#limit) return;
    const { reason } = rule;
    this.faults.push({ path, message, ...(reason === undefined ? {} : { reason }) });
  }

  #visitMembers(schema: JsonObject, value: JsonObject, before: Json | undefined, pointer: string): void {
    const { properties, additionalProperties } = schema;
    for (const [name, member] of Object.entries(value)) {
      const declared = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
      const old = isObject(before) && Object.hasOwn(before, name) ? before[name] : undefined;
      this.visit(declared ?? additionalProperties, member, old, step(pointer, name));
    }
  }
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
