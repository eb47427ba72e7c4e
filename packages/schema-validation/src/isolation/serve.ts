import { createContext, Script } from 'node:vm';
import type { Fault } from '@platform/kernel';
import { LRUCache } from 'lru-cache';
import { faultsOf, readSchema } from '../compile.ts';
import { compileAjv } from '../engines/ajv.ts';
import type { Evaluate } from '../engines/faults.ts';
import { compileHyperjump } from '../engines/hyperjump.ts';
import type { Limits } from '../limits.ts';
import { InvalidSchemaError, type PreparedSchema } from '../schema/prepare.ts';
import type { Answer, Request } from './start.ts';

/** A task exceeded its deadline. */
export class DeadlineExceededError extends Error {
  constructor(milliseconds: number) {
    super(`takes longer than ${milliseconds} ms to process`);
  }
}

/** The main program of the validation process. It receives one request at a time. */
const limits: Limits = JSON.parse(process.argv[2] as string);
const compiled = new LRUCache<string, Evaluate>({ max: limits.cachedSchemas, maxSize: limits.cachedLength });

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
  return [];
}

async function validate({ key, schema, text }: Request & { task: 'validate' }): Promise<readonly Fault[]> {
  const known = compiled.get(key);
  const evaluate = known ?? (await compileStored(schema));
  if (known === undefined) compiled.set(key, evaluate, { size: schema.length });
  return runWithDeadline(limits.deadlineMs, () => faultsOf(evaluate, JSON.parse(text), limits.faults));
}

/** Compiles a stored schema. If tighter limits now reject it, the message says that the document is not to blame. */
async function compileStored(schema: string): Promise<Evaluate> {
  try {
    return await compile(runWithDeadline(limits.compileMs, () => readSchema(schema, limits)));
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
