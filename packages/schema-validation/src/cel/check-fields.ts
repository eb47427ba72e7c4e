import type { ParseResult } from '@marcbachmann/cel-js';
import type { Fault } from '@platform/kernel';
import { isObject, type Json, type JsonObject, step } from '../json.ts';
import type { RuleSet } from './compile-rules.ts';
import { escaped } from './values.ts';

type Node = ParseResult['ast'];

/** The schema of a value in a rule; undefined when it is not known, and the rule may do everything with it. */
type Known = JsonObject | undefined;

/** The macros that run over the items of a list or the keys of a map. */
const overItems: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'existsOne', 'filter', 'map']);

const scalars: readonly Json[] = ['string', 'integer', 'number', 'boolean'];

/**
 * The faults of rules that compile and can never hold, by the structural schema of a CustomResourceDefinition: they name a field that the schema does not
 * declare, or give something other than true and false. The API server of Kubernetes compiles rules with the types of the schema and finds the same.
 */
export function ruleFieldFaults(rules: RuleSet, schema: JsonObject, around: JsonObject | undefined): Fault[] {
  const faults: Fault[] = [];
  const check = (holder: JsonObject, self: JsonObject, pointer: string) => {
    const compiled = holder === around ? rules.ofObject : (rules.bySchema.get(holder) ?? []);
    for (const [index, { evaluate, optionalOldSelf }] of compiled.entries()) {
      const oldSelf = optionalOldSelf ? undefined : self;
      const fault = faultOf(evaluate, { self, oldSelf });
      const at = step(step(step(pointer, 'x-kubernetes-validations'), index), 'rule');
      if (fault !== null) faults.push({ path: at, message: `cannot be enforced: ${fault}` });
    }
  };
  const visit = (place: Json | undefined, pointer: string) => {
    if (!isObject(place)) return;
    check(place, place, pointer);
    const { properties, items, additionalProperties } = place;
    for (const [name, part] of Object.entries(isObject(properties) ? properties : {}))
      visit(part, step(step(pointer, 'properties'), name));
    visit(items, step(pointer, 'items'));
    visit(additionalProperties, step(pointer, 'additionalProperties'));
  };
  visit(schema, '');
  if (around !== undefined) {
    const parts = isObject(around['properties']) ? around['properties'] : {};
    check(around, wholeObject(schema, parts['status']), '/x-kubernetes-version/schema');
    visit(parts['status'], '/x-kubernetes-version/schema/properties/status');
  }
  return faults;
}

/** The object as a rule at the root sees it. */
function wholeObject(spec: JsonObject, status: Json | undefined): JsonObject {
  const text = { type: 'string' };
  const metadata = { type: 'object', properties: { name: text, generateName: text } };
  const known = isObject(status) ? { status } : {};
  return { type: 'object', properties: { apiVersion: text, kind: text, metadata, spec, ...known } };
}

function faultOf(parsed: ParseResult, scope: Readonly<Record<string, Known>>): string | null {
  const undeclared: string[] = [];
  const result = resolve(parsed.ast, new Map(Object.entries(scope)), undeclared);
  if (undeclared[0] !== undefined) return `undefined field ${JSON.stringify(undeclared[0])}`;
  const { type } = parsed.check();
  const isBoolean = type === undefined || ['bool', 'dyn'].includes(String(type));
  const types = result === undefined ? [] : typesOf(result);
  if (isBoolean && (types.length === 0 || types.includes('boolean'))) return null;
  return 'the rule must evaluate to true or false';
}

function typesOf({ type }: JsonObject): readonly Json[] {
  return (Array.isArray(type) ? type : [type]).filter(
    (one): one is Json => one !== undefined && one !== 'null',
  );
}

/** The schema of what an expression gives. Adds the fields that it names and no schema declares. */
function resolve(node: unknown, scope: ReadonlyMap<string, Known>, undeclared: string[]): Known {
  if (Array.isArray(node)) {
    for (const part of node) resolve(part, scope, undeclared);
    return undefined;
  }
  if (!isNode(node)) return undefined;
  const of = (part: unknown, within = scope) => resolve(part, within, undeclared);
  const args = node.args as readonly unknown[];
  switch (node.op) {
    case 'id':
      return scope.get(String(node.args));
    case '.':
    case '.?':
      return memberOf(of(args[0]), args[1], undeclared);
    case '[]':
    case '[?]':
      of(args[1]);
      return elementOf(of(args[0]));
    case 'rcall': {
      const [name, receiver, given] = args as [string, unknown, readonly unknown[]];
      const [variable, ...rest] = given;
      if (isNode(variable) && variable.op === 'id' && name === 'bind') {
        const value = of(rest[0]);
        return of(rest[1], new Map(scope).set(String(variable.args), value));
      }
      const base = of(receiver);
      if (isNode(variable) && variable.op === 'id' && overItems.has(name)) {
        const item = base !== undefined && typesOf(base).includes('array') ? elementOf(base) : undefined;
        of(rest, new Map(scope).set(String(variable.args), item));
        return name === 'filter' ? base : undefined;
      }
      of(given);
      return undefined;
    }
    default:
      of(node.args);
      return undefined;
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

function elementOf(base: Known): Known {
  const part = base?.['items'] ?? base?.['additionalProperties'];
  return isObject(part) ? part : undefined;
}

function memberOf(base: Known, member: unknown, undeclared: string[]): Known {
  if (base === undefined || typeof member !== 'string') return undefined;
  const { properties, additionalProperties } = base;
  const declared = Object.entries(isObject(properties) ? properties : {}).find(
    ([name]) => escaped(name) === member,
  );
  if (declared !== undefined) return isObject(declared[1]) ? declared[1] : undefined;
  if (isObject(additionalProperties)) return additionalProperties;
  if (isClosed(base, member)) undeclared.push(member);
  return undefined;
}

/** Whether a value of the schema never has the member: others are removed before they are stored. */
function isClosed(schema: JsonObject, member: string): boolean {
  const types = typesOf(schema);
  if (types.length !== 1) return false;
  if (scalars.includes(types[0] as Json)) return true;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  return (
    types[0] === 'object' &&
    isObject(schema['properties']) &&
    schema['additionalProperties'] === undefined &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true &&
    !(isEmbedded && ['apiVersion', 'kind', 'metadata'].includes(member))
  );
}
