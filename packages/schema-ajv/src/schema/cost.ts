import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Pattern } from '../patterns/pattern.ts';
import type { FlatSchema } from './flatten.ts';
import { subschemas } from './keywords.ts';

/** The deepest document that costs are worked out for; contract 2.17 allows no deeper `spec`. */
export const deepest = 64;

/** A schema whose evaluation at one place of a document does not end, or takes too long. */
export class TooMuchWork extends Error {
  /** JSON pointer into the schema text. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** What one flat subschema costs by itself, and what it hands on. */
interface Step {
  readonly origin: string;
  readonly weight: number;
  /** The subschemas evaluated on the same value. */
  readonly here: Step[];
  /** Those evaluated on a member, an item or a name, in groups of which one child meets one. */
  readonly below: Step[][];
  cost: number;
  /** The cost for documents that are one level less deep. */
  previous: number;
  /** How many steps follow each other from here, itself included; 0 while that is being found out. */
  height: number | undefined;
}

/** Bounds on what one place of a document may cost. */
export interface WorkLimits {
  readonly chain: number;
  readonly workInPlace: number;
}

/**
 * An upper bound of the work along one path from the root of a document to a leaf, in steps of about 10 ns:
 * the entry at d is for documents nested d deep, the last for all deeper ones too. Times the length of its text it
 * bounds the work for a document, which has at most one leaf, and a pattern reads at most one character, a character.
 *
 * `allOf` of two references, n times over, shows up as 2^n, and so does a recursive schema that evaluates a child
 * twice. Throws TooMuchWork for a schema that reaches itself without going down into the document and beyond `limits`.
 */
export function costByDepth(
  flat: FlatSchema,
  patterns: ReadonlyMap<string, Pattern>,
  limits: WorkLimits,
): readonly number[] {
  const { root, all } = readSteps(flat, patterns);
  const ordered: Step[] = [];
  for (const step of all) order(step, limits.chain, ordered);
  const costs: number[] = [];
  for (let depth = 0; depth <= deepest; depth++) {
    let changed = false;
    for (const step of ordered) {
      const cost = costOf(step);
      if (depth === 0 && cost > limits.workInPlace)
        throw new TooMuchWork(step.origin, `evaluates more than ${limits.workInPlace} keywords at one place`);
      changed ||= cost !== step.cost;
      step.cost = cost;
    }
    for (const step of ordered) step.previous = step.cost;
    costs.push(root.cost);
    if (depth > 0 && !changed) break;
  }
  return costs;
}

function costOf({ weight, here, below }: Step): number {
  let cost = weight;
  for (const step of here) cost += step.cost;
  for (const group of below) cost += group.reduce((most, step) => Math.max(most, step.previous), 0);
  return cost;
}

/** Puts a step behind every step that it evaluates on the same value; returns its height. */
function order(step: Step, chain: number, ordered: Step[]): number {
  if (step.height === 0) throw new TooMuchWork(step.origin, 'refers to itself at the same place');
  if (step.height !== undefined) return step.height;
  if (chain === 0) throw new TooMuchWork(step.origin, 'stands at the end of too long a chain of subschemas');
  step.height = 0;
  let below = 0;
  for (const other of step.here) below = Math.max(below, order(other, chain - 1, ordered));
  if (below >= chain) throw new TooMuchWork(step.origin, 'starts too long a chain of subschemas');
  step.height = below + 1;
  ordered.push(step);
  return step.height;
}

function readSteps({ schema, origins }: FlatSchema, patterns: ReadonlyMap<string, Pattern>) {
  const steps = new Map<JsonObject, Step>();
  const trivial = newStep('', 1);
  const stepOf = (value: Json | undefined): Step => {
    if (!isObject(value)) return trivial;
    const known = steps.get(value);
    if (known !== undefined) return known;
    const created = newStep(origins.get(value) ?? '', weightOf(value, patterns));
    steps.set(value, created);
    return created;
  };
  const root = stepOf(schema);
  const { $defs } = isObject(schema) ? schema : ({} as JsonObject);
  const definitions = isObject($defs) ? $defs : {};
  // Connecting adds the steps that are met for the first time; a Map's iterator visits those as well.
  for (const [value, step] of steps) {
    connect(value, step, stepOf);
    const { $ref } = value;
    if (typeof $ref === 'string')
      step.here.push($ref === '#' ? root : stepOf(definitions[$ref.slice('#/$defs/'.length)]));
  }
  return { root, all: [...steps.values(), trivial] };
}

function newStep(origin: string, weight: number): Step {
  return { origin, weight, here: [], below: [], cost: weight, previous: 0, height: undefined };
}

/** The keywords of which one child of a value meets only one subschema; any other may meet it besides. */
const alternatives: ReadonlyMap<string, 'members' | 'items'> = new Map([
  ['properties', 'members'],
  ['additionalProperties', 'members'],
  ['unevaluatedProperties', 'members'],
  ['prefixItems', 'items'],
  ['items', 'items'],
  ['unevaluatedItems', 'items'],
]);

function connect(value: JsonObject, step: Step, stepOf: (value: Json) => Step): void {
  const groups = { members: [] as Step[], items: [] as Step[] };
  for (const { keyword, target, schema } of subschemas(value, '')) {
    const group = alternatives.get(keyword);
    if (target === 'here') step.here.push(stepOf(schema));
    else if (group !== undefined) groups[group].push(stepOf(schema));
    else if (target !== 'nowhere') step.below.push([stepOf(schema)]);
  }
  step.below.push(groups.members, groups.items);
}

/** Ajv compares every member's name with every declared one, so those count. */
function weightOf(schema: JsonObject, patterns: ReadonlyMap<string, Pattern>): number {
  const { pattern, patternProperties, properties, required, dependentRequired } = schema;
  let weight = 1 + Object.keys(schema).length * 2;
  for (const source of [pattern, ...Object.keys(patternProperties ?? {})])
    if (typeof source === 'string') weight += patterns.get(source)?.cost ?? Number.POSITIVE_INFINITY;
  for (const list of [properties, required, dependentRequired]) weight += Object.keys(list ?? {}).length;
  for (const names of Object.values(dependentRequired ?? {})) weight += Object.keys(names ?? {}).length;
  if ('format' in schema || 'uniqueItems' in schema || 'enum' in schema || 'const' in schema) weight += 20;
  return weight;
}
