import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Pattern } from '../patterns/pattern.ts';
import type { FlatSchema } from './flatten.ts';
import { subschemas } from './keywords.ts';

/** The deepest document that costs are worked out for; no deeper `spec` is accepted. */
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
  readonly own: Work;
  /** The subschemas evaluated on the same value. */
  readonly here: Step[];
  /** Those evaluated on a member, an item or a name, in groups of which one child meets one. */
  readonly below: Step[][];
  total: Work;
  /** The total for documents that are one level less deep. */
  previous: Work;
  /** How many steps follow each other from here, itself included; 0 while that is being found out. */
  height: number | undefined;
}

/** Work along one path from the root of a document to a leaf. */
export interface Work {
  /** Keywords evaluated, each on one value. */
  readonly keywords: number;
  /** What the patterns on the path need for one character, in steps of about 10 ns. */
  readonly perCharacter: number;
}

/** Bounds on what one place of a document may cost. */
export interface WorkLimits {
  readonly chain: number;
  readonly workInPlace: number;
}

const none: Work = { keywords: 0, perCharacter: 0 };

/**
 * An upper bound of the work along one path through documents nested d deep, at index d; the last is for all deeper
 * ones too. A document has no more paths than values and a pattern reads no more than its text, so `keywords` times
 * its values and `perCharacter` times the length of its text bound the work for it.
 *
 * `allOf` of two references, n times over, shows up as 2^n, and so does a recursive schema that evaluates a child
 * twice. Throws TooMuchWork for a schema that reaches itself without going down into the document and beyond `limits`.
 */
export function workByDepth(
  flat: FlatSchema,
  patterns: ReadonlyMap<string, Pattern>,
  limits: WorkLimits,
): readonly Work[] {
  const { root, all } = readSteps(flat, patterns);
  const ordered: Step[] = [];
  for (const step of all) order(step, limits.chain, ordered);
  const work: Work[] = [];
  for (let depth = 0; depth <= deepest; depth++) {
    let changed = false;
    for (const step of ordered) {
      const total = totalOf(step);
      if (depth === 0 && total.keywords > limits.workInPlace)
        throw new TooMuchWork(step.origin, `evaluates more than ${limits.workInPlace} keywords at one place`);
      changed ||= total.keywords !== step.total.keywords || total.perCharacter !== step.total.perCharacter;
      step.total = total;
    }
    for (const step of ordered) step.previous = step.total;
    work.push(root.total);
    if (depth > 0 && !changed) break;
  }
  return work;
}

function totalOf({ own, here, below }: Step): Work {
  let { keywords, perCharacter } = own;
  for (const { total } of here) {
    keywords += total.keywords;
    perCharacter += total.perCharacter;
  }
  for (const group of below) {
    keywords += group.reduce((most, { previous }) => Math.max(most, previous.keywords), 0);
    perCharacter += group.reduce((most, { previous }) => Math.max(most, previous.perCharacter), 0);
  }
  return { keywords, perCharacter };
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
  const trivial = newStep('', { keywords: 1, perCharacter: 0 });
  const stepOf = (value: Json | undefined): Step => {
    if (!isObject(value)) return trivial;
    const known = steps.get(value);
    if (known !== undefined) return known;
    const created = newStep(origins.get(value) ?? '', ownWork(value, patterns));
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

function newStep(origin: string, own: Work): Step {
  return { origin, own, here: [], below: [], total: own, previous: none, height: undefined };
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

/** Names that must be there count one each: each may become a fault. Those that may be there take a comparison. */
function ownWork(schema: JsonObject, patterns: ReadonlyMap<string, Pattern>): Work {
  const { pattern, patternProperties, properties, required, dependentRequired } = schema;
  const dependents = Object.values(dependentRequired ?? {}).flatMap((names) => Object.keys(names ?? {}));
  const names = Object.keys(required ?? {}).length + dependents.length;
  const declared = Object.keys(properties ?? {}).length / 8;
  let perCharacter = slowKeywords.some((keyword) => keyword in schema) ? 20 : 0;
  for (const source of [pattern, ...Object.keys(patternProperties ?? {})])
    if (typeof source === 'string') perCharacter += patterns.get(source)?.cost ?? 0;
  return { keywords: 1 + Object.keys(schema).length + names + declared, perCharacter };
}

/** Keywords that read the whole value. */
const slowKeywords = ['format', 'uniqueItems', 'enum', 'const'];
