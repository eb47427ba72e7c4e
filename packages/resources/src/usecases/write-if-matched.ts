import { type Precondition, requireMet } from '@platform/kernel';
import type { ResourceWriter } from '../ports/resource-writer.ts';
import type { ResourcePorts } from './ports.ts';
import { definitionOf, type ItemRequest, notFound } from './request.ts';

/** A request that may be meant for certain versions of its resource only (RFC 9110, section 13.1.1). */
export interface ConditionalRequest extends ItemRequest {
  /** Null when it is for any version. */
  readonly precondition: Precondition | null;
}

/**
 * Writes to the latest row. With a precondition the row is locked first, so that nobody can change it between the comparison and the
 * write; without one the write stays a single statement.
 */
export async function writeIfMatched<T>(
  { writer, transactions }: Pick<ResourcePorts, 'writer' | 'transactions'>,
  request: ConditionalRequest,
  write: (writer: ResourceWriter) => Promise<T>,
): Promise<T> {
  const { precondition, ref } = request;
  if (precondition === null || precondition === '*') return await write(writer);
  return await transactions.run(async (transaction) => {
    const row = await transaction.lockRow(ref, definitionOf(request));
    if (row === null) throw notFound();
    requireMet(precondition, row);
    return await write(transaction.writer);
  });
}
