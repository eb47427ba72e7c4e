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

/** Everything that registration asks of a schema short of compiling it. Throws BadSchema with every fault. */
export function acceptSchema(text: string, limits: Limits): PreparedSchema {
  const schema = parseSchema(text, limits);
  return prepare(schema, shapeFaults(schema, limits.faults), limits);
}

/** Prepares a schema that was accepted before. Throws BadSchema. */
export function readSchema(text: string, limits: Limits): PreparedSchema {
  return prepare(parseSchema(text, limits), [], limits);
}

function prepare(schema: Json, known: readonly Fault[], limits: Limits): PreparedSchema {
  const document = new SchemaDocument(schema, limits.subschemas);
  const paths = new Set(known.map(({ path }) => path));
  const others = contentFaults(document, limits).filter(({ path }) => !paths.has(path));
  const faults = [...known, ...others].slice(0, limits.faults);
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
