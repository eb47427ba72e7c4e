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
export interface ApplyDocumentsOptions {
  readonly atomic: boolean;
  /** Compares with the stored resources only, or lets the server check everything; null writes. */
  readonly dryRun: 'client' | 'server' | null;
  readonly prune: boolean;
  readonly diff: boolean;
  /** Receives the labels of resources that a dry run would create. */
  readonly tried: Set<string>;
}

/** Applies documents by writes that are planned first: in one transaction, or one by one. Returns how many resources change. */
export async function applyDocuments(
  ctx: CommandContext,
  documents: readonly ResourceDocument[],
  deps: PlanDeps,
  options: ApplyDocumentsOptions,
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
  { dryRun }: ApplyDocumentsOptions,
): Promise<ReadonlyMap<PlannedWrite, BatchResult> | null> {
  try {
    return await runTogether(ctx.client, writes, { dryRun: dryRun !== null, signal: ctx.signal });
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
  options: ApplyDocumentsOptions,
): Promise<number> {
  const { signal, client } = ctx;
  const { dryRun } = options;
  let [changed, hasFailed] = [0, false];
  const run = async (source: string, plan: () => Promise<PlannedWrite>) => {
    // Without the platform or a session, every other write would fail in the same way.
    if (ctx.isUnreachable) return;
    try {
      const write = await plan();
      const isOnlyCompared = dryRun === 'client';
      const answer = isOnlyCompared
        ? null
        : await runAlone(client, write, { dryRun: dryRun !== null, signal });
      if (show(ctx, write, answer, options)) changed += 1;
    } catch (error) {
      signal.throwIfAborted();
      const failure = ctx.failureOf(error);
      printFailure(ctx.terminal, failure, source);
      hasFailed = true;
      ctx.fail(failure);
    }
  };
  for (const document of documents) await run(document.source, () => planWrite(document, deps));
  // A resource whose replacement failed is not pruned.
  if (!hasFailed) for (const write of await pruning()) await run(write.label, async () => write);
  return changed;
}

/** Prints the result of a write, and returns whether it changed something. */
function show(
  ctx: CommandContext,
  write: PlannedWrite,
  answer: BatchResult | null,
  { dryRun, diff, tried }: ApplyDocumentsOptions,
): boolean {
  const note = dryRun === null ? '' : ' (dry run)';
  if (write.operation?.method === 'DELETE') {
    ctx.out(`${write.label} pruned${note}\n`);
    return true;
  }
  const result = resultOf(write, answer);
  if (dryRun !== null && result.outcome === 'created') tried.add(result.label);
  ctx.out(`${write.label} ${result.outcome}${note}\n`);
  if (diff && result.outcome === 'configured' && result.before !== null) {
    ctx.out(yamlDiff(result.before, result.after, ctx.colors));
  }
  return result.outcome !== 'unchanged';
}
