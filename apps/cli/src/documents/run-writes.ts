import { type BatchResult, isPlatformError, type PlatformClient } from 'platform-service-client';
import { Failure } from '../failure.ts';
import type { PlannedWrite } from './plan-writes.ts';

/** Runs all writes in one transaction. The error of a refusal names the write that was refused. */
export async function runTogether(
  client: PlatformClient,
  writes: readonly PlannedWrite[],
  { dryRun, signal }: { readonly dryRun: boolean; readonly signal: AbortSignal },
): Promise<ReadonlyMap<PlannedWrite, BatchResult>> {
  const sent = writes.filter(({ operation }) => operation !== null);
  const operations = sent.flatMap(({ operation }) => operation ?? []);
  if (operations.length === 0) return new Map();
  const results = await client.batch(operations, { dryRun, signal });
  return new Map(sent.map((write, index) => [write, results[index] as BatchResult]));
}

/** The write that a batch was refused for, or null. */
export function refusedWrite(error: unknown, writes: readonly PlannedWrite[]): PlannedWrite | null {
  if (!isPlatformError(error)) return null;
  const { operation: index } = error.members;
  const sent = writes.filter(({ operation }) => operation !== null);
  return typeof index === 'number' ? (sent[index] ?? null) : null;
}

/** Runs one write. A dry run is a batch, which a replica that does not know dry runs refuses. */
export async function runAlone(
  client: PlatformClient,
  write: PlannedWrite,
  { dryRun, signal }: { readonly dryRun: boolean; readonly signal: AbortSignal },
): Promise<BatchResult | null> {
  const { operation, replaceLatest } = write;
  if (operation === null) return null;
  if (dryRun) return (await runTogether(client, [write], { dryRun, signal })).get(write) ?? null;
  if (replaceLatest !== undefined) return { status: 200, body: await replaceLatest() };
  const { method, body, headers } = operation;
  const url = new URL(operation.path, 'http://platform.invalid');
  const query = Object.fromEntries(url.searchParams);
  const contentType = headers?.['Content-Type'];
  const { status, text } = await client
    .send({
      method,
      path: url.pathname,
      query,
      body,
      signal,
      ...(contentType === undefined ? {} : { contentType }),
      ...(method === 'POST' ? { idempotencyKey: crypto.randomUUID() } : {}),
    })
    .catch((error: unknown) => {
      throw isPlatformError(error, 'not_found') ? withoutParent(write, error) : error;
    });
  return { status, body: client.json.parse(text) };
}

/** The failure of a create below a parent that does not exist; the error itself for other writes. */
function withoutParent({ label, source, parent }: PlannedWrite, error: unknown): unknown {
  if (parent === undefined) return error;
  const message = `${source}: cannot create ${label}: its parent ${parent} does not exist`;
  return new Failure('notFound', message, 'create the parent first, or correct "in"');
}
