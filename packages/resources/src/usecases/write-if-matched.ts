import { type Precondition, requireMet } from '@platform/kernel';
import { definitionOf, notFound } from '../model/target.ts';
import type { ResourceWriter } from '../ports/resource-writer.ts';
import type { ConditionalRequest, ResourcePorts } from './request.ts';

/**
 * Writes to the latest row. With a precondition the row is locked first, so that it cannot change between the comparison and the write;
 * without one the write stays a single statement.
 */
export async function writeIfMatched<T>(
  { writer, transactions }: Pick<ResourcePorts, 'writer' | 'transactions'>,
  { precondition, target }: ConditionalRequest,
  write: (writer: ResourceWriter) => Promise<T>,
): Promise<T> {
  if (precondition === null || isAny(precondition)) return await write(writer);
  return await transactions.run(async (transaction) => {
    const row = await transaction.lockRow(target.ref, definitionOf(target));
    if (row === null) throw notFound();
    requireMet(precondition, row);
    return await write(transaction.writer);
  });
}

function isAny({ match, noneMatch }: Precondition): boolean {
  return (match === null || match === '*') && noneMatch === null;
}
