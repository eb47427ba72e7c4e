import { parentPort, workerData } from 'node:worker_threads';
import type { Fault } from '@platform/kernel';
import { acceptSchema, faultsOf, readSchema } from '../compile.ts';
import { compileAjv } from '../engines/ajv.ts';
import type { Evaluate } from '../engines/faults.ts';
import { compileHyperjump } from '../engines/hyperjump.ts';
import type { Limits } from '../limits.ts';
import { Lru } from '../lru.ts';
import { BadSchema, type PreparedSchema } from '../schema/prepare.ts';
import type { WorkerAnswer, WorkerRequest } from './worker-protocol.ts';

/**
 * The thread for whatever is not provably cheap. It gets one request at a time and takes as long as it takes:
 * the deadline is the main thread's, which ends this one.
 */
const limits = workerData as Limits;
const compiled = new Lru<Evaluate>(limits.cachedSchemas, limits.cachedLength);

async function answer(request: WorkerRequest): Promise<WorkerAnswer> {
  try {
    return { kind: 'faults', faults: await faults(request) };
  } catch (error) {
    if (error instanceof BadSchema) return { kind: 'faults', faults: error.faults };
    return { kind: 'failed', error };
  }
}

async function faults(request: WorkerRequest): Promise<readonly Fault[]> {
  if (request.task === 'check') {
    await compile(acceptSchema(request.schema, limits));
    return [];
  }
  const { key, schema, text } = request;
  let evaluate = compiled.get(key);
  if (evaluate === undefined) {
    evaluate = await compileStored(schema);
    compiled.add(key, evaluate, schema.length);
  }
  return faultsOf(evaluate, JSON.parse(text), limits.faults);
}

/** A stored schema was accepted once. Should the bounds have become tighter, the fault is not the document's. */
async function compileStored(schema: string): Promise<Evaluate> {
  try {
    return await compile(readSchema(schema, limits));
  } catch (error) {
    if (!(error instanceof BadSchema)) throw error;
    const message = `cannot be validated, because the schema of its kind is not acceptable: ${error.message}`;
    throw new BadSchema([{ path: '', message }]);
  }
}

async function compile({ engine, flat, patterns }: PreparedSchema): Promise<Evaluate> {
  try {
    return engine === 'ajv' ? compileAjv(flat, patterns) : await compileHyperjump(flat);
  } catch (error) {
    if (error instanceof RangeError) throw new BadSchema([{ path: '', message: 'is nested too deeply' }]);
    throw error;
  }
}

parentPort?.on('message', async (request: WorkerRequest) => parentPort?.postMessage(await answer(request)));
parentPort?.postMessage({ kind: 'ready' } satisfies WorkerAnswer);
