import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Pattern } from '../patterns/pattern.ts';
import type { FlatSchema } from './flatten.ts';
import { subschemas } from './keywords.ts';

/** The depth up to which costs are computed, which is the maximum depth of a `spec` (docs/http.md). */
export const maxDepth = 64;

/** Evaluating the schema at one place of a document would not terminate, or would take too long. */
export class SchemaCostError extends Error {
  /** JSON pointer into the schema text. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** The cost of one flat subschema, and the subschemas that it evaluates. */
interface Step {
  readonly origin: string;
  readonly own: Work;
  /** The subschemas evaluated on the same value. */
  readonly here: Step[];
  /** The subschemas evaluated on members, items or names. A child is evaluated by one subschema of each group. */
  readonly below: Step[][];
  total: Work;
  /** The total for documents with one level less. */
  previous: Work;
  /** The length of the longest chain of steps from here, including itself; 0 while it is being computed. */
  height: number | undefined;
}

/** The work along one path from the root of a document to a leaf. */
export interface Work {
  /** The number of evaluated keywords. */
  readonly keywords: number;
  /** The cost of the patterns on the path per character, in engine steps. */
  readonly perCharacter: number;
}

/** The limits for one place of a document. */
interface WorkLimits {
  readonly chain: number;
  readonly workInPlace: number;
}

const noWork: Work = { keywords: 0, perCharacter: 0 };

/**
 * Computes an upper bound for the work along one path through a document of depth d, at index d; the last entry also covers deeper
 * documents. A document has at most as many paths as values, so `keywords` times the number of values plus `perCharacter` times the
 * length of the text is an upper bound for the whole document.
 *
 * Throws SchemaCostError for a schema that refers to itself at the same place, and for one beyond `limits`, such as nested `allOf`s
 * of two references, which double the work at every level.
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
  for (let depth = 0; depth <= maxDepth; depth++) {
    let changed = false;
    for (const step of ordered) {
      const total = totalOf(step);
      if (depth === 0 && total.keywords > limits.workInPlace)
        throw new SchemaCostError(
          step.origin,
          `evaluates more than ${limits.workInPlace} keywords at one place`,
        );
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

/** Orders the steps so that each comes after the steps that it evaluates on the same value. Returns the height. */
function order(step: Step, chain: number, ordered: Step[]): number {
  if (step.height === 0) throw new SchemaCostError(step.origin, 'refers to itself at the same place');
  if (step.height !== undefined) return step.height;
  if (chain === 0) throw new SchemaCostError(step.origin, 'is at the end of too long a chain of subschemas');
  step.height = 0;
  let below = 0;
  for (const other of step.here) below = Math.max(below, order(other, chain - 1, ordered));
  if (below >= chain) throw new SchemaCostError(step.origin, 'starts too long a chain of subschemas');
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
  // `connect` adds new steps; the iterator of a Map visits those as well.
  for (const [value, step] of steps) {
    connect(value, step, stepOf);
    const { $ref } = value;
    if (typeof $ref === 'string')
      step.here.push($ref === '#' ? root : stepOf(definitions[$ref.slice('#/$defs/'.length)]));
  }
  return { root, all: [...steps.values(), trivial] };
}

function newStep(origin: string, own: Work): Step {
  return { origin, own, here: [], below: [], total: own, previous: noWork, height: undefined };
}

/** Keywords of which only one subschema applies to a child. Other keywords apply in addition. */
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

/** The work of a step itself. Required names count fully, because each can become a fault; declared names need only a comparison. */
function ownWork(schema: JsonObject, patterns: ReadonlyMap<string, Pattern>): Work {
  const { pattern, patternProperties, properties, required, dependentRequired } = schema;
  const dependents = Object.values(dependentRequired ?? {}).flatMap((names) => Object.keys(names ?? {}));
  const names = Object.keys(required ?? {}).length + dependents.length;
  const declared = Object.keys(properties ?? {}).length / declaredPerKeyword;
  let perCharacter = slowKeywords.some((keyword) => keyword in schema) ? slowSteps : 0;
  for (const source of [pattern, ...Object.keys(patternProperties ?? {})])
    if (typeof source === 'string') perCharacter += patterns.get(source)?.cost ?? 0;
  return { keywords: 1 + Object.keys(schema).length + names + declared, perCharacter };
}

/** Looking for a declared name in an object took 8 to 15 ns, a keyword that fails 35 to 170 ns. */
const declaredPerKeyword = 8;

/** Keywords that read the complete value. */
const slowKeywords = ['format', 'uniqueItems', 'enum', 'const'];

/** The slowest of them is `uniqueItems`: 110 to 170 ns a character, where a step of a pattern takes at most 10 ns. */
const slowSteps = 20;
