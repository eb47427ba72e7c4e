import type { Fault } from '@platform/kernel';
import { LRUCache } from 'lru-cache';
import { faultsOf, readSchema } from '../compile.ts';
import { compileAjv } from '../engines/ajv.ts';
import type { Evaluate } from '../engines/faults.ts';
import { compileHyperjump } from '../engines/hyperjump.ts';
import type { Limits } from '../limits.ts';
import { BadSchema, type PreparedSchema } from '../schema/prepare.ts';
import { TookTooLong, within } from './deadline.ts';
import type { Answer, Request } from './messages.ts';

/** The main program of the process for whatever is not provably cheap. It gets one request at a time. */
const limits: Limits = JSON.parse(process.argv[2] as string);
const compiled = new LRUCache<string, Evaluate>({ max: limits.cachedSchemas, maxSize: limits.cachedLength });

async function answer(request: Request): Promise<Answer> {
  try {
    const faults = await (request.task === 'check' ? check(request.schema) : validate(request));
    return { kind: 'faults', faults };
  } catch (error) {
    if (error instanceof BadSchema) return { kind: 'faults', faults: error.faults };
    if (error instanceof TookTooLong)
      return { kind: 'faults', faults: [{ path: '', message: error.message }] };
    return { kind: 'failed', error: String((error as Error).stack) };
  }
}

async function check(schema: string): Promise<readonly Fault[]> {
  await compile(within(limits.compileMs, () => readSchema(schema, limits)));
  return [];
}

async function validate({ key, schema, text }: Request & { task: 'validate' }): Promise<readonly Fault[]> {
  const known = compiled.get(key);
  const evaluate = known ?? (await compileStored(schema));
  if (known === undefined) compiled.set(key, evaluate, { size: schema.length });
  return within(limits.deadlineMs, () => faultsOf(evaluate, JSON.parse(text), limits.faults));
}

/** A stored schema was accepted once. Should the bounds have become tighter, the fault is not the document's. */
async function compileStored(schema: string): Promise<Evaluate> {
  try {
    return await compile(within(limits.compileMs, () => readSchema(schema, limits)));
  } catch (error) {
    if (!(error instanceof BadSchema)) throw error;
    const message = `cannot be validated, because the schema of its kind is not acceptable: ${error.message}`;
    throw new BadSchema([{ path: '', message }]);
  }
}

async function compile({ engine, flat, patterns }: PreparedSchema): Promise<Evaluate> {
  try {
    if (engine === 'hyperjump') return await compileHyperjump(flat);
    return within(limits.compileMs, () => compileAjv(flat, patterns));
  } catch (error) {
    if (error instanceof RangeError) throw new BadSchema([{ path: '', message: 'is nested too deeply' }]);
    throw error;
  }
}

function send(message: Answer): void {
  process.send?.(message);
}

process.on('message', async (request: Request) => send(await answer(request)));
process.on('disconnect', () => process.exit());
// Ctrl-C reaches every process of the terminal; this one ends when the one that it serves does.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
send({ kind: 'ready' });
