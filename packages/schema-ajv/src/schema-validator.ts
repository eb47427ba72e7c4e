import type { Fault } from '@platform/kernel';
import type { SchemaRef, SchemaValidator } from '@platform/resources';
import { LRUCache } from 'lru-cache';
import { faultsOf, readSchema } from './compile.ts';
import { compileAjv } from './engines/ajv.ts';
import type { Evaluate } from './engines/faults.ts';
import { startProcess } from './isolation/start.ts';
import { ValidationProcess } from './isolation/validation-process.ts';
import { countValues, depthOf } from './json.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { deepest, type Work } from './schema/cost.ts';
import { BadSchema, type PreparedSchema } from './schema/prepare.ts';

/** What can be set for a validator: any of its bounds. */
export interface SchemaValidatorOptions {
  readonly limits?: Partial<Limits>;
}

/** JSON Schema, Draft 2020-12, whole; `docs/schema-validation.md` describes it. */
export function createSchemaValidator(options: SchemaValidatorOptions = {}): SchemaValidator {
  return new HybridSchemaValidator({ ...defaultLimits, ...options.limits });
}

/** A compiled schema and the work it makes (see `workByDepth`); none when its documents go to the validation process. */
interface Compiled {
  readonly evaluate: Evaluate;
  readonly work: readonly Work[];
}

/** Evaluates on the spot what is provably cheap, and leaves the rest to a process with deadlines. */
class HybridSchemaValidator implements SchemaValidator {
  readonly #limits: Limits;
  readonly #compiled: LRUCache<string, Compiled | 'isolated'>;
  readonly #process: ValidationProcess;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#compiled = new LRUCache({ max: limits.cachedSchemas, maxSize: limits.cachedLength });
    this.#process = new ValidationProcess({
      start: () => startProcess(limits),
      killAfterMs: 2 * limits.compileMs + limits.deadlineMs + 1_000,
      queue: limits.queue,
    });
  }

  async check(schema: string): Promise<readonly Fault[]> {
    const { schemaLength } = this.#limits;
    if (schema.length > schemaLength)
      return [{ path: '', message: `must have at most ${schemaLength} characters` }];
    if (this.#isSmall(schema))
      try {
        if (this.#compile(readSchema(schema, this.#limits)) !== 'isolated') return [];
      } catch (error) {
        if (error instanceof BadSchema) return error.faults;
        throw error;
      }
    return this.#process.run('', { task: 'check', schema });
  }

  async validate(
    { key, schema }: SchemaRef,
    { value, text }: { readonly value: unknown; readonly text: string },
  ): Promise<readonly Fault[]> {
    let compiled = this.#compiled.get(key);
    if (compiled === undefined) {
      compiled = this.#read(schema);
      this.#compiled.set(key, compiled, { size: schema.length });
    }
    if (compiled !== 'isolated' && this.#isCheap(compiled.work, value, text))
      return faultsOf(compiled.evaluate, value, this.#limits.faults);
    return this.#process.run(key, { task: 'validate', key, schema, text });
  }

  close(): Promise<void> {
    return this.#process.close();
  }

  #isSmall(schema: string): boolean {
    const { inlineSchemaLength, inlinePropertyEscapes: most } = this.#limits;
    return schema.length <= inlineSchemaLength && schema.split(propertyEscape, most + 2).length <= most + 1;
  }

  #read(schema: string): Compiled | 'isolated' {
    if (!this.#isSmall(schema)) return 'isolated';
    try {
      return this.#compile(readSchema(schema, this.#limits));
    } catch (error) {
      // The process finds the same and answers with it.
      if (error instanceof BadSchema) return 'isolated';
      throw error;
    }
  }

  #compile({ engine, flat, patterns, work }: PreparedSchema): Compiled | 'isolated' {
    const isSmall = flat.origins.size <= this.#limits.inlineSubschemas;
    if (engine !== 'ajv' || work.length === 0 || !isSmall) return 'isolated';
    try {
      return { evaluate: compileAjv(flat, patterns), work };
    } catch (error) {
      // So deep that the stack of the moment is not enough.
      if (error instanceof RangeError) return 'isolated';
      throw error;
    }
  }

  /** The document is looked at only where it matters: its text has at least two characters for each value. */
  #isCheap(work: readonly Work[], value: unknown, text: string): boolean {
    const worst = work.at(-1) as Work;
    if (this.#isAffordable(worst, text.length / 2 + 1, text)) return true;
    const path = work[depthOf(value, deepest)] ?? worst;
    return this.#isAffordable(path, countValues(value), text);
  }

  #isAffordable({ keywords, perCharacter }: Work, values: number, { length }: string): boolean {
    return keywords * values * keywordMs + perCharacter * length * stepMs <= this.#limits.inlineMs;
  }
}

/** A property escape in JSON text, or a character of one that is written as `\u005c` or `\u0070` to hide it. */
const propertyEscape = /\\[pP]\{|\\u00[57]/;

/** Milliseconds that a keyword takes when it fails, which is when it takes longest, and that a step of a pattern takes. */
const keywordMs = 250e-6;
const stepMs = 10e-6;
