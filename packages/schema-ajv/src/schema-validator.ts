import type { Fault } from '@platform/kernel';
import type { SchemaRef, SchemaValidator } from '@platform/resources';
import { acceptSchema, faultsOf, readSchema } from './compile.ts';
import { compileAjv } from './engines/ajv.ts';
import type { Evaluate } from './engines/faults.ts';
import { DeadlineWorker } from './isolation/deadline-worker.ts';
import { startWorker } from './isolation/start-worker.ts';
import { depthOf } from './json.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { Lru } from './lru.ts';
import { deepest } from './schema/cost.ts';
import { BadSchema, type PreparedSchema } from './schema/prepare.ts';

/** What can be set for a validator: any of its bounds. */
export interface SchemaValidatorOptions {
  readonly limits?: Partial<Limits>;
}

/** JSON Schema, Draft 2020-12, whole; `docs/schema-validation.md` describes it. */
export function createSchemaValidator(options: SchemaValidatorOptions = {}): SchemaValidator {
  return new HybridSchemaValidator({ ...defaultLimits, ...options.limits });
}

/** A compiled schema and what it costs (see `costByDepth`); none when its documents go to the worker. */
interface Compiled {
  readonly evaluate: Evaluate;
  readonly cost: readonly number[];
}

/** Evaluates on the spot what is provably cheap, and leaves the rest to a worker with a deadline. */
class HybridSchemaValidator implements SchemaValidator {
  readonly #limits: Limits;
  readonly #compiled: Lru<Compiled | 'isolated'>;
  readonly #worker: DeadlineWorker;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#compiled = new Lru(limits.cachedSchemas, limits.cachedLength);
    const { deadlineMs, queue } = limits;
    this.#worker = new DeadlineWorker({ start: () => startWorker(limits), deadlineMs, queue });
  }

  async check(schema: string): Promise<readonly Fault[]> {
    const { schemaLength } = this.#limits;
    if (schema.length > schemaLength)
      return [{ path: '', message: `must have at most ${schemaLength} characters` }];
    if (this.#isSmall(schema))
      try {
        if (this.#compile(acceptSchema(schema, this.#limits)) !== 'isolated') return [];
      } catch (error) {
        if (error instanceof BadSchema) return error.faults;
        throw error;
      }
    return this.#worker.run('', { task: 'check', schema });
  }

  async validate(
    { key, schema }: SchemaRef,
    { value, text }: { readonly value: unknown; readonly text: string },
  ): Promise<readonly Fault[]> {
    let compiled = this.#compiled.get(key);
    if (compiled === undefined) {
      compiled = this.#read(schema);
      this.#compiled.add(key, compiled, schema.length);
    }
    if (compiled !== 'isolated' && this.#isCheap(compiled.cost, value, text))
      return faultsOf(compiled.evaluate, value, this.#limits.faults);
    return this.#worker.run(key, { task: 'validate', key, schema, text });
  }

  close(): Promise<void> {
    return this.#worker.close();
  }

  #isSmall(schema: string): boolean {
    const { inlineSchemaLength, inlinePropertyEscapes } = this.#limits;
    return (
      schema.length <= inlineSchemaLength &&
      schema.split(/\\[pP]\{/, inlinePropertyEscapes + 2).length <= inlinePropertyEscapes + 1
    );
  }

  #read(schema: string): Compiled | 'isolated' {
    if (!this.#isSmall(schema)) return 'isolated';
    try {
      return this.#compile(readSchema(schema, this.#limits));
    } catch (error) {
      // The worker finds the same and answers with it.
      if (error instanceof BadSchema) return 'isolated';
      throw error;
    }
  }

  #compile({ engine, flat, patterns, cost }: PreparedSchema): Compiled | 'isolated' {
    if (engine !== 'ajv' || cost[0] === Number.POSITIVE_INFINITY) return 'isolated';
    try {
      return { evaluate: compileAjv(flat, patterns), cost };
    } catch (error) {
      // The stack of the worker is larger.
      if (error instanceof RangeError) return 'isolated';
      throw error;
    }
  }

  /** The depth is looked at only where it matters: a recursive schema costs more for deeper documents. */
  #isCheap(cost: readonly number[], value: unknown, text: string): boolean {
    const affordable = this.#limits.inlineWork / text.length;
    if ((cost.at(-1) as number) <= affordable) return true;
    return (cost[depthOf(value, deepest)] ?? Number.POSITIVE_INFINITY) <= affordable;
  }
}
