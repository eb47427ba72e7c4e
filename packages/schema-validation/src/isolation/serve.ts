import { type Fault, firstFaults } from '@platform/kernel';
import { LRUCache } from 'lru-cache';
import { ruleFieldFaults } from '../cel/check-fields.ts';
import { compileRules, objectSchema, type RuleSet } from '../cel/compile-rules.ts';
import { evaluateRules } from '../cel/evaluate-rules.ts';
import { faultsOf, readSchema } from '../compile.ts';
import { compileAjv } from '../engines/ajv.ts';
import type { Evaluate } from '../engines/faults.ts';
import { compileHyperjump } from '../engines/hyperjump.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Limits } from '../limits.ts';
import { defaultsOf, schemaOfDefaults } from '../schema/defaults.ts';
import { InvalidSchemaError, type PreparedSchema } from '../schema/prepare.ts';
import { DeadlineExceededError, runWithDeadline } from './run-with-deadline.ts';
import type { Answer, Request } from './start.ts';

/** A compiled schema; `rules` are null when it has none. */
interface Compiled {
  readonly evaluate: Evaluate;
  readonly schema: Json;
  readonly rules: RuleSet | null;
}

// The main program of the validation process. It receives one request at a time.
const limits: Limits = JSON.parse(process.argv[2] as string);
const compiled = new LRUCache<string, Compiled>({ max: limits.cachedSchemas, maxSize: limits.cachedLength });

async function respond(request: Request): Promise<Answer> {
  try {
    const faults = await (request.task === 'check' ? check(request.schema) : validate(request));
    return { kind: 'faults', faults: firstFaults(faults) };
  } catch (error) {
    if (error instanceof InvalidSchemaError) return { kind: 'faults', faults: firstFaults(error.faults) };
    if (error instanceof DeadlineExceededError)
      return { kind: 'faults', faults: [{ path: '', message: error.message }] };
    return { kind: 'failed', error: String((error as Error).stack) };
  }
}

async function check(schema: string): Promise<readonly Fault[]> {
  await compile(runWithDeadline(limits.compileMs, () => readSchema(schema, limits)));
  const parsed: Json = JSON.parse(schema);
  const rules = runWithDeadline(limits.compileMs, () => compileRules(parsed));
  const faults = [...(rules?.faults ?? [])];
  // Other schemas are no structural schemas: they may leave fields open, and their defaults are annotations.
  const around = isObject(parsed) ? objectSchema(parsed) : undefined;
  if (isObject(parsed) && around !== undefined && faults.length === 0) {
    if (rules !== null)
      faults.push(...runWithDeadline(limits.compileMs, () => ruleFieldFaults(rules, parsed, around)));
    faults.push(...(await defaultFaults(parsed)));
  }
  return faults.slice(0, limits.faults);
}

/** The faults of defaults that their own schema refuses. All are validated at once, unless that would make a schema beyond the limits. */
async function defaultFaults(schema: JsonObject): Promise<readonly Fault[]> {
  const defaults = defaultsOf(schema);
  if (defaults.length === 0) return [];
  const whole = schemaOfDefaults(defaults);
  const text = JSON.stringify(whole.schema);
  try {
    const { evaluate, rules, schema: compiledSchema } = await compileStored(text);
    return runWithDeadline(limits.deadlineMs, () => {
      const found = faultsOf(evaluate, whole.value, limits.faults);
      const broken =
        found.length > 0 || rules === null
          ? found
          : evaluateRules(rules, compiledSchema, whole.value, null, limits.faults);
      return broken.map(({ path, message, ...fault }) => {
        const [, index, ...rest] = path.split('/');
        const below = rest.length === 0 ? '' : `${rest.join('.')}: `;
        return { ...fault, path: defaults[Number(index)]?.path ?? '', message: `${below}${message}` };
      });
    });
  } catch (error) {
    if (error instanceof InvalidSchemaError) return [];
    throw error;
  }
}

async function validate(request: Request & { task: 'validate' }): Promise<readonly Fault[]> {
  const { key, schema, text, object } = request;
  const known = compiled.get(key);
  const current = known ?? (await compileStored(schema));
  if (known === undefined) compiled.set(key, current, { size: schema.length });
  return runWithDeadline(limits.deadlineMs, () => {
    const value = JSON.parse(text);
    const faults = faultsOf(current.evaluate, value, limits.faults);
    // Rules may rely on the types that the schema demands.
    if (faults.length > 0 || current.rules === null) return faults;
    const before = object?.before == null ? undefined : JSON.parse(object.before);
    const owner = object === null ? null : { name: object.name, before };
    return evaluateRules(current.rules, current.schema, value, owner, limits.faults);
  });
}

/** Compiles a stored schema. If tighter limits now reject it, the message says that the document is not to blame. */
async function compileStored(schema: string): Promise<Compiled> {
  try {
    const evaluate = await compile(runWithDeadline(limits.compileMs, () => readSchema(schema, limits)));
    const parsed = JSON.parse(schema);
    return { evaluate, schema: parsed, rules: runWithDeadline(limits.compileMs, () => compileRules(parsed)) };
  } catch (error) {
    if (!(error instanceof InvalidSchemaError)) throw error;
    const message = `cannot be validated, because the schema of its kind is not acceptable: ${error.message}`;
    throw new InvalidSchemaError([{ path: '', message }]);
  }
}

async function compile({ engine, flat, patterns }: PreparedSchema): Promise<Evaluate> {
  try {
    if (engine === 'hyperjump') return await compileHyperjump(flat);
    return runWithDeadline(limits.compileMs, () => compileAjv(flat, patterns));
  } catch (error) {
    if (error instanceof RangeError)
      throw new InvalidSchemaError([{ path: '', message: 'is nested too deeply' }]);
    throw error;
  }
}

function send(message: Answer): void {
  process.send?.(message);
}

process.on('message', async (request: Request) => send(await respond(request)));
process.on('disconnect', () => process.exit());
// Ctrl-C signals every process of the terminal; this process must exit with its parent, not before.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
send({ kind: 'ready' });
