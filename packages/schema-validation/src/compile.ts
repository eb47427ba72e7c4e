import type { Fault } from '@platform/kernel';
import { compileAjv } from './engines/ajv.ts';
import { type Evaluate, toFaults } from './engines/faults.ts';
import type { Json } from './json.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { dialect, SchemaDocument } from './schema/document.ts';
import {
  contentFaults,
  InvalidSchemaError,
  type PreparedSchema,
  parseSchema,
  prepareSchema,
} from './schema/prepare.ts';

let evaluateMetaSchema: Evaluate | undefined;

/** Validates a parsed schema with the official meta-schema: the shape of every keyword, including formats. */
function shapeFaults(schema: Json, limit: number): readonly Fault[] {
  if (evaluateMetaSchema === undefined) {
    const document = new SchemaDocument({ $ref: dialect }, defaultLimits.subschemas);
    const { flat, patterns } = prepareSchema(document, defaultLimits);
    evaluateMetaSchema = compileAjv(flat, patterns);
  }
  return toFaults(evaluateMetaSchema(schema), limit);
}

/** Reads and checks a schema without compiling it. Throws InvalidSchemaError with every fault. */
export function readSchema(text: string, limits: Limits): PreparedSchema {
  const schema = parseSchema(text, limits);
  const document = new SchemaDocument(schema, limits.subschemas);
  const shape = shapeFaults(schema, limits.faults);
  const paths = new Set(shape.map(({ path }) => path));
  const content = contentFaults(document, limits).filter(({ path }) => !paths.has(path));
  const faults = [...shape, ...content].slice(0, limits.faults);
  if (faults.length > 0) throw new InvalidSchemaError(faults);
  return prepareSchema(document, limits);
}

/** The faults of a value, at most `limit`. A value that exhausts the stack has one fault. */
export function faultsOf(evaluate: Evaluate, value: unknown, limit: number): readonly Fault[] {
  try {
    return toFaults(evaluate(value), limit);
  } catch (error) {
    if (error instanceof RangeError) return [{ path: '', message: 'is nested too deeply for its schema' }];
    throw error;
  }
}
