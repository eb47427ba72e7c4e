import type { Fault } from '@platform/kernel';
import { compileAjv } from './engines/ajv.ts';
import { type Evaluate, toFaults } from './engines/faults.ts';
import type { Json } from './json.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { dialect, SchemaDocument } from './schema/document.ts';
import {
  BadSchema,
  contentFaults,
  type PreparedSchema,
  parseSchema,
  prepareSchema,
} from './schema/prepare.ts';

let evaluateMetaSchema: Evaluate | undefined;

/** The faults of a parsed schema by the official meta-schema: the shape of every keyword, formats included. */
function shapeFaults(schema: Json, limit: number): readonly Fault[] {
  if (evaluateMetaSchema === undefined) {
    const document = new SchemaDocument({ $ref: dialect }, defaultLimits.subschemas);
    const { flat, patterns } = prepareSchema(document, defaultLimits);
    evaluateMetaSchema = compileAjv(flat, patterns);
  }
  return toFaults(evaluateMetaSchema(schema), limit);
}

/** Reads a schema as registration asks for it, short of compiling it. Throws BadSchema with every fault. */
export function readSchema(text: string, limits: Limits): PreparedSchema {
  const schema = parseSchema(text, limits);
  const document = new SchemaDocument(schema, limits.subschemas);
  const shape = shapeFaults(schema, limits.faults);
  const paths = new Set(shape.map(({ path }) => path));
  const content = contentFaults(document, limits).filter(({ path }) => !paths.has(path));
  const faults = [...shape, ...content].slice(0, limits.faults);
  if (faults.length > 0) throw new BadSchema(faults);
  return prepareSchema(document, limits);
}

/** The faults of a value, at most `limit`; a value that exhausts the stack has one. */
export function faultsOf(evaluate: Evaluate, value: unknown, limit: number): readonly Fault[] {
  try {
    return toFaults(evaluate(value), limit);
  } catch (error) {
    if (error instanceof RangeError) return [{ path: '', message: 'is nested too deeply for its schema' }];
    throw error;
  }
}
