import type { Fault } from '@platform/kernel';
import { type Engine, engineFor } from '../engines/choose.ts';
import { depthOf, isObject, type Json, type JsonObject, step } from '../json.ts';
import type { Limits } from '../limits.ts';
import { compilePattern, type Pattern } from '../patterns/pattern.ts';
import { TooMuchWork, type Work, workByDepth } from './cost.ts';
import type { SchemaDocument } from './document.ts';
import { type FlatSchema, flatten, TooManyCopies } from './flatten.ts';
import { referenceFaults } from './references.ts';

/** A schema that is within bounds and refers to nothing outside, ready to be compiled. */
export interface PreparedSchema {
  readonly flat: FlatSchema;
  readonly engine: Engine;
  readonly patterns: ReadonlyMap<string, Pattern>;
  /** See `workByDepth`; none where a pattern may backtrack, which has no useful bound. */
  readonly work: readonly Work[];
}

/** A schema that was refused. */
export class BadSchema extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
    this.faults = faults;
  }
}

/** Parses a schema text; throws BadSchema for one that is too long, too deep or no schema at all. */
export function parseSchema(text: string, limits: Limits): Json {
  if (text.length > limits.schemaLength)
    throw new BadSchema([{ path: '', message: `must have at most ${limits.schemaLength} characters` }]);
  const schema = parseJson(text);
  if (depthOf(schema, limits.schemaDepth) > limits.schemaDepth)
    throw new BadSchema([{ path: '', message: `must be nested at most ${limits.schemaDepth} deep` }]);
  if (typeof schema !== 'boolean' && !isObject(schema))
    throw new BadSchema([{ path: '', message: 'must be an object or a boolean' }]);
  return schema;
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadSchema([{ path: '', message: 'must be JSON' }]);
  }
}

/** What is wrong with the references, identifiers and expressions of a parsed schema; it may be ill-formed otherwise. */
export function contentFaults(document: SchemaDocument, limits: Limits): readonly Fault[] {
  return [...document.faults, ...referenceFaults(document), ...patternFaults(document, limits)];
}

/** Flattens and weighs a document without faults; throws BadSchema for one that would take too much work. */
export function prepareSchema(document: SchemaDocument, limits: Limits): PreparedSchema {
  try {
    const flat = flatten(document, limits.subschemas);
    const patterns = compilePatterns(flat);
    const work = workByDepth(flat, patterns, limits);
    const backtracks = [...patterns.values()].some(({ kind }) => kind === 'backtracking');
    return { flat, patterns, engine: engineFor(flat), work: backtracks ? [] : work };
  } catch (error) {
    if (error instanceof TooMuchWork) throw new BadSchema([{ path: error.path, message: error.message }]);
    if (error instanceof TooManyCopies)
      throw new BadSchema([
        { path: '', message: `its references make more than ${limits.subschemas} subschemas` },
      ]);
    throw error;
  }
}

/** The regular expressions of a schema object: `pattern` and the names in `patternProperties`. */
function expressions({ pattern, patternProperties }: JsonObject, pointer: string) {
  const names = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  const place = step(pointer, 'patternProperties');
  const found = names.map((source) => ({ source, path: step(place, source) }));
  return typeof pattern === 'string'
    ? [{ source: pattern, path: step(pointer, 'pattern') }, ...found]
    : found;
}

function patternFaults(document: SchemaDocument, limits: Limits): Fault[] {
  const faults: Fault[] = [];
  for (const { schema, pointer } of document.places.values()) {
    if (!isObject(schema)) continue;
    for (const { source, path } of expressions(schema, pointer)) {
      const message = patternFault(source, limits);
      if (message !== undefined) faults.push({ path, message });
    }
  }
  return faults;
}

function patternFault(source: string, { patternLength }: Limits): string | undefined {
  if (source.length > patternLength) return `must have at most ${patternLength} characters`;
  try {
    new RegExp(source, 'u');
    return undefined;
  } catch {
    return 'must be a regular expression of ECMA-262 with the "u" flag';
  }
}

function compilePatterns({ origins }: FlatSchema): ReadonlyMap<string, Pattern> {
  const patterns = new Map<string, Pattern>();
  for (const schema of origins.keys())
    for (const { source } of expressions(schema, ''))
      if (!patterns.has(source)) patterns.set(source, compilePattern(source));
  return patterns;
}
