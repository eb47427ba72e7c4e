import type { Fault } from '@platform/kernel';
import { compileAjv } from './engines/ajv.ts';
import { type Evaluate, toFaults } from './engines/faults.ts';
import type { Json } from './json.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { dialect } from './schema/document.ts';
import { BadSchema, type PreparedSchema, parseSchema, prepareSchema } from './schema/prepare.ts';

let evaluateMetaSchema: Evaluate | undefined;

/** The faults of a parsed schema by the official meta-schema: the shape of every keyword, formats included. */
function shapeFaults(schema: Json, limit: number): readonly Fault[] {
  if (evaluateMetaSchema === undefined) {
    const { flat, patterns } = prepareSchema({ $ref: dialect }, defaultLimits);
    evaluateMetaSchema = compileAjv(flat, patterns);
  }
  const failures = [...evaluateMetaSchema(schema)];
  return failures.length === 0 ? [] : toFaults(failures, limit);
}

/** Everything that registration asks of a schema short of compiling it. Throws BadSchema. */
export function acceptSchema(text: string, limits: Limits): PreparedSchema {
  const schema = parseSchema(text, limits);
  const faults = shapeFaults(schema, limits.faults);
  if (faults.length > 0) throw new BadSchema(faults);
  return prepareSchema(schema, limits);
}

/** Prepares a schema that was accepted before. Throws BadSchema. */
export function readSchema(text: string, limits: Limits): PreparedSchema {
  return prepareSchema(parseSchema(text, limits), limits);
}

/** The faults of a value, at most `limit`; a value that exhausts the stack has one. */
export function faultsOf(evaluate: Evaluate, value: unknown, limit: number): readonly Fault[] {
  try {
    const failures = [...evaluate(value)];
    return failures.length === 0 ? [] : toFaults(failures, limit);
  } catch (error) {
    if (error instanceof RangeError) return [{ path: '', message: 'is nested too deeply for its schema' }];
    throw error;
  }
}
