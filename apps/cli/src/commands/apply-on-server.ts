import type { BatchResult } from 'platform-service-client';
import type { ResourceDocument } from '../documents/document.ts';
import { inOrder } from '../documents/order.ts';
import {
  type PlanDeps,
  type PlannedWrite,
  planPrune,
  planWrite,
  resultOf,
} from '../documents/plan-writes.ts';
import { refusedWrite, runAlone, runTogether } from '../documents/run-writes.ts';
import { Failure, printFailure } from '../failure.ts';
import { yamlDiff } from '../output/yaml-diff.ts';
import type { CommandContext } from './command-context.ts';

/** How the writes of an apply are sent and printed. */
export interface ServerApplyOptions {
  readonly atomic: boolean;
  readonly dryRun: boolean;
  readonly prune: boolean;
  readonly diff: boolean;
  /** Receives the labels of resources that a dry run would create. */
  readonly tried: Set<string>;
}

/** Applies documents by writes that are planned first: in one transaction, or one by one. Returns how many resources change. */
export async function applyOnServer(
  ctx: CommandContext,
  documents: readonly ResourceDocument[],
  deps: PlanDeps,
  options: ServerApplyOptions,
): Promise<number> {
  const { atomic, prune } = options;
  const ordered = inOrder(documents, deps.catalog);
  const pruning =
    prune && deps.serverSide !== null
      ? () => planPrune(ordered, deps, deps.serverSide?.fieldManager ?? '')
      : async () => [];
  if (!atomic) return await oneByOne(ctx, ordered, deps, pruning, options);
  const writes: PlannedWrite[] = [];
  for (const document of ordered) writes.push(await planWrite(document, deps));
  if (deps.serverSide === null) requireDifferent(ordered, writes);
  writes.push(...(await pruning()));
  const results = await together(ctx, writes, options);
  if (results === null) return 0;
  return writes.filter((write) => show(ctx, write, results.get(write) ?? null, options)).length;
}

/** Refuses two documents for one resource: every write is planned for the state before all of them, so the second would undo the first. */
function requireDifferent(documents: readonly ResourceDocument[], writes: readonly PlannedWrite[]): void {
  const sources = new Map<string, string>();
  documents.forEach(({ apiVersion, source }, index) => {
    const label = writes[index]?.label ?? '';
    const key = `${apiVersion.split('/')[0]} ${label}`;
    const first = sources.get(key);
    if (first !== undefined)
      throw new Failure(
        'invalid',
        `${source}: ${label} is described by ${first} already`,
        'remove one of them, or apply without --atomic',
      );
    sources.set(key, source);
  });
}

async function together(
  ctx: CommandContext,
  writes: readonly PlannedWrite[],
  { dryRun }: ServerApplyOptions,
): Promise<ReadonlyMap<PlannedWrite, BatchResult> | null> {
  try {
    return await runTogether(ctx.client, writes, { dryRun, signal: ctx.signal });
  } catch (error) {
    ctx.signal.throwIfAborted();
    const refused = refusedWrite(error, writes);
    const failure = ctx.failureOf(error);
    printFailure(ctx.terminal, failure, refused === null ? undefined : `${refused.source}: ${refused.label}`);
    ctx.err('Nothing was changed.\n');
    ctx.fail(failure);
    return null;
  }
}

async function oneByOne(
  ctx: CommandContext,
  documents: readonly ResourceDocument[],
  deps: PlanDeps,
  pruning: () => Promise<readonly PlannedWrite[]>,
  options: ServerApplyOptions,
): Promise<number> {
  const failures: Failure[] = [];
  let changed = 0;
  const run = async (source: string, plan: () => Promise<PlannedWrite>) => {
    try {
      const write = await plan();
      const answer = await runAlone(ctx.client, write, { dryRun: options.dryRun, signal: ctx.signal });
      if (show(ctx, write, answer, options)) changed += 1;
    } catch (error) {
      ctx.signal.throwIfAborted();
      const failure = ctx.failureOf(error);
      printFailure(ctx.terminal, failure, source);
      failures.push(failure);
      ctx.fail(failure);
    }
  };
  for (const document of documents) await run(document.source, () => planWrite(document, deps));
  // A resource whose replacement failed is not pruned.
  if (failures.length === 0) for (const write of await pruning()) await run(write.label, async () => write);
  return changed;
}

/** Prints the result of a write, and returns whether it changed something. */
function show(
  ctx: CommandContext,
  write: PlannedWrite,
  answer: BatchResult | null,
  { dryRun, diff, tried }: ServerApplyOptions,
): boolean {
  const note = dryRun ? ' (dry run)' : '';
  if (write.operation?.method === 'DELETE') {
    ctx.out(`${write.label} pruned${note}\n`);
    return true;
  }
  const result = resultOf(write, answer);
  if (dryRun && result.outcome === 'created') tried.add(result.label);
  ctx.out(`${write.label} ${result.outcome}${note}\n`);
  if (diff && result.outcome === 'configured' && result.before !== null) {
    ctx.out(yamlDiff(result.before, result.after, ctx.colors));
  }
  return result.outcome !== 'unchanged';
}
