import type { Fault } from '@platform/kernel';
import type { SchemaRef, SchemaValidator, ValidatedObject } from '@platform/resources';
import { LRUCache } from 'lru-cache';
import { faultsOf, readSchema } from './compile.ts';
import { compileAjv } from './engines/ajv.ts';
import type { Evaluate } from './engines/faults.ts';
import { startProcess } from './isolation/start.ts';
import { ValidationProcess } from './isolation/validation-process.ts';
import { countValues, depthOf } from './json.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { maxDepth, type Work } from './schema/cost.ts';
import { InvalidSchemaError, type PreparedSchema } from './schema/prepare.ts';

/** The options of a validator. */
export interface SchemaValidatorOptions {
  readonly limits?: Partial<Limits>;
}

/** Creates a validator for JSON Schema Draft 2020-12. See docs/schema-validation.md. */
export function createSchemaValidator(options: SchemaValidatorOptions = {}): SchemaValidator {
  return new HybridSchemaValidator({ ...defaultLimits, ...options.limits });
}

/** A compiled schema and its cost (see `workByDepth`). */
interface Compiled {
  readonly evaluate: Evaluate;
  readonly work: readonly Work[];
}

/** Validates in this process if the estimated cost is low, and otherwise in a child process with deadlines. */
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
    if (this.#isSmall(schema) && !(fromKubernetes.test(schema) && schema.includes('"default"')))
      try {
        if (this.#compile(readSchema(schema, this.#limits)) !== 'isolated') return [];
      } catch (error) {
        if (error instanceof InvalidSchemaError) return error.faults;
        throw error;
      }
    return this.#process.run('', { task: 'check', schema });
  }

  async validate(
    { key, schema }: SchemaRef,
    { value, text }: { readonly value: unknown; readonly text: string },
    object: ValidatedObject | null = null,
  ): Promise<readonly Fault[]> {
    let compiled = this.#compiled.get(key);
    if (compiled === undefined) {
      compiled = this.#read(schema);
      this.#compiled.set(key, compiled, { size: schema.length });
    }
    if (compiled !== 'isolated' && this.#isCheap(compiled.work, value, text))
      return faultsOf(compiled.evaluate, value, this.#limits.faults);
    return this.#process.run(key, { task: 'validate', key, schema, text, object });
  }

  close(): Promise<void> {
    return this.#process.close();
  }

  #isSmall(schema: string): boolean {
    const { inlineSchemaLength, inlinePropertyEscapes: maxEscapes } = this.#limits;
    return (
      schema.length <= inlineSchemaLength &&
      !rules.test(schema) &&
      schema.split(propertyEscape, maxEscapes + 2).length <= maxEscapes + 1
    );
  }

  #read(schema: string): Compiled | 'isolated' {
    if (!this.#isSmall(schema)) return 'isolated';
    try {
      return this.#compile(readSchema(schema, this.#limits));
    } catch (error) {
      // The validation process finds the same faults and returns them.
      if (error instanceof InvalidSchemaError) return 'isolated';
      throw error;
    }
  }

  #compile({ engine, flat, patterns, work }: PreparedSchema): Compiled | 'isolated' {
    const isSmall = flat.origins.size <= this.#limits.inlineSubschemas;
    if (engine !== 'ajv' || work.length === 0 || !isSmall) return 'isolated';
    try {
      return { evaluate: compileAjv(flat, patterns), work };
    } catch (error) {
      // The schema is too deep for the current stack.
      if (error instanceof RangeError) return 'isolated';
      throw error;
    }
  }

  /** Counts the values only if the length of the text, at least two characters per value, does not decide already. */
  #isCheap(work: readonly Work[], value: unknown, text: string): boolean {
    const worst = work.at(-1) as Work;
    if (this.#isAffordable(worst, text.length / 2 + 1, text)) return true;
    const path = work[depthOf(value, maxDepth)] ?? worst;
    return this.#isAffordable(path, countValues(value), text);
  }

  #isAffordable({ keywords, perCharacter }: Work, values: number, { length }: string): boolean {
    return keywords * values * keywordMs + perCharacter * length * stepMs <= this.#limits.inlineMs;
  }
}

/** Matches the keyword of rules, also if a letter of it is written as a Unicode escape. Rules need a deadline. */
const rules = /x-kubernetes-validations|\\u00/;

/** Matches the keyword of schemas that came from Kubernetes, whose defaults are checked. */
const fromKubernetes = /"x-kubernetes-version"/;

/** Matches a property escape in JSON text, also if `\` or `p` is written as a Unicode escape. */
const propertyEscape = /\\[pP]\{|\\u00[57]/;

/** The time in milliseconds for a failing keyword, which is the slowest case, and for a step of a pattern. */
const keywordMs = 250e-6;
const stepMs = 10e-6;
