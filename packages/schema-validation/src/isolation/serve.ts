import { createContext, Script } from 'node:vm';
import type { Fault } from '@platform/kernel';
import { LRUCache } from 'lru-cache';
import { compileRules, type RuleSet } from '../cel/compile-rules.ts';
import { evaluateRules } from '../cel/evaluate-rules.ts';
import { faultsOf, readSchema } from '../compile.ts';
import { compileAjv } from '../engines/ajv.ts';
import type { Evaluate } from '../engines/faults.ts';
import { compileHyperjump } from '../engines/hyperjump.ts';
import type { Json } from '../json.ts';
import type { Limits } from '../limits.ts';
import { InvalidSchemaError, type PreparedSchema } from '../schema/prepare.ts';
import type { Answer, Request } from './start.ts';

/** A task exceeded its deadline. */
export class DeadlineExceededError extends Error {
  constructor(milliseconds: number) {
    super(`takes longer than ${milliseconds} ms to process`);
  }
}

/** A compiled schema; `rules` are null when it has none. */
interface Compiled {
  readonly evaluate: Evaluate;
  readonly schema: Json;
  readonly rules: RuleSet | null;
}

/** The main program of the validation process. It receives one request at a time. */
const limits: Limits = JSON.parse(process.argv[2] as string);
const compiled = new LRUCache<string, Compiled>({ max: limits.cachedSchemas, maxSize: limits.cachedLength });

const context = createContext({ task: undefined });
const call = new Script('task()');

async function respond(request: Request): Promise<Answer> {
  try {
    const faults = await (request.task === 'check' ? check(request.schema) : validate(request));
    return { kind: 'faults', faults };
  } catch (error) {
    if (error instanceof InvalidSchemaError) return { kind: 'faults', faults: error.faults };
    if (error instanceof DeadlineExceededError)
      return { kind: 'faults', faults: [{ path: '', message: error.message }] };
    return { kind: 'failed', error: String((error as Error).stack) };
  }
}

async function check(schema: string): Promise<readonly Fault[]> {
  await compile(runWithDeadline(limits.compileMs, () => readSchema(schema, limits)));
  const rules = runWithDeadline(limits.compileMs, () => compileRules(JSON.parse(schema)));
  return rules?.faults.slice(0, limits.faults) ?? [];
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

/**
 * Runs synchronous code with a deadline; throws DeadlineExceededError. V8 checks the deadline in every loop iteration and wherever a
 * regular expression backtracks.
 */
export function runWithDeadline<Result>(milliseconds: number, task: () => Result): Result {
  context['task'] = task;
  try {
    return call.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new DeadlineExceededError(milliseconds);
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
