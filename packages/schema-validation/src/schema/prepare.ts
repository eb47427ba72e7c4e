import type { Fault } from '@platform/kernel';
import { chooseEngine, type Engine } from '../engines/choose.ts';
import { depthOf, isObject, type Json, type JsonObject, step } from '../json.ts';
import type { Limits } from '../limits.ts';
import { compilePattern, type Pattern } from '../patterns/pattern.ts';
import { SchemaCostError, type Work, workByDepth } from './cost.ts';
import type { SchemaDocument } from './document.ts';
import { type FlatSchema, flatten, TooManySubschemasError } from './flatten.ts';
import { referenceFaults } from './references.ts';

/** A schema within the limits and without external references, ready to be compiled. */
export interface PreparedSchema {
  readonly flat: FlatSchema;
  readonly engine: Engine;
  readonly patterns: ReadonlyMap<string, Pattern>;
  /** See `workByDepth`; empty if a pattern may backtrack, because that has no useful upper bound. */
  readonly work: readonly Work[];
}

/** A schema is invalid or exceeds a limit. */
export class InvalidSchemaError extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
    this.faults = faults;
  }
}

/** Parses a schema text. Throws InvalidSchemaError if it is too long, too deep or not a schema. */
export function parseSchema(text: string, limits: Limits): Json {
  if (text.length > limits.schemaLength)
    throw new InvalidSchemaError([
      { path: '', message: `must have at most ${limits.schemaLength} characters` },
    ]);
  const schema = parseJson(text);
  if (depthOf(schema, limits.schemaDepth) > limits.schemaDepth)
    throw new InvalidSchemaError([
      { path: '', message: `must be nested at most ${limits.schemaDepth} deep` },
    ]);
  if (typeof schema !== 'boolean' && !isObject(schema))
    throw new InvalidSchemaError([{ path: '', message: 'must be an object or a boolean' }]);
  return schema;
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidSchemaError([{ path: '', message: 'must be JSON' }]);
  }
}

/** The faults of the references, identifiers and regular expressions of a parsed schema. Does not check anything else. */
export function contentFaults(document: SchemaDocument, limits: Limits): readonly Fault[] {
  return [...document.faults, ...referenceFaults(document), ...patternFaults(document, limits)];
}

/** Flattens a valid schema and computes its cost. Throws InvalidSchemaError if the cost is too high. */
export function prepareSchema(document: SchemaDocument, limits: Limits): PreparedSchema {
  try {
    const flat = flatten(document, limits.subschemas);
    const patterns = compilePatterns(flat);
    const work = workByDepth(flat, patterns, limits);
    const backtracks = [...patterns.values()].some(({ kind }) => kind === 'backtracking');
    return { flat, patterns, engine: chooseEngine(flat), work: backtracks ? [] : work };
  } catch (error) {
    if (error instanceof SchemaCostError)
      throw new InvalidSchemaError([{ path: error.path, message: error.message }]);
    if (error instanceof TooManySubschemasError)
      throw new InvalidSchemaError([
        { path: '', message: `resolving its references makes more than ${limits.subschemas} subschemas` },
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
