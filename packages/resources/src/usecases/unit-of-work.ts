import type { AuditLog, AuditRecord } from '../ports/audit-log.ts';
import type { Cascade, Transaction } from '../ports/transactions.ts';
import type { ResourcePorts } from './request.ts';

/** Work on ports that are bound to one transaction. It may run more than once, so its only effects are those of the ports. */
export type Work<T> = (ports: ResourcePorts, transaction: Transaction) => Promise<T>;

/** Runs use cases in one transaction. They see each other's writes; their audit records are written after the commit. */
export async function inTransaction<T>(ports: ResourcePorts, work: Work<T>): Promise<T> {
  const { value, audit } = await ports.transactions.run((transaction) => attempt(ports, transaction, work));
  audit.writeTo(ports.audit);
  return value;
}

/**
 * Runs use cases in the transaction that the real request would have, with all its checks and locks, and rolls it back. One audit record
 * says that it was a dry run.
 */
export async function dryRun<T>(ports: ResourcePorts, work: Work<T>): Promise<T> {
  try {
    await ports.transactions.run(async (transaction) => {
      throw new RolledBack(await attempt(ports, transaction, work));
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
    const { value, audit } = error.attempt as Attempt<T>;
    audit.writeDryRunTo(ports.audit);
    return value;
  }
  throw new Error('a dry run was committed');
}

interface Attempt<T> {
  readonly value: T;
  readonly audit: BufferedAudit;
}

async function attempt<T>(
  ports: ResourcePorts,
  transaction: Transaction,
  work: Work<T>,
): Promise<Attempt<T>> {
  const audit = new BufferedAudit();
  const { reader, writer, removed } = transaction;
  const bound: ResourcePorts = {
    ...ports,
    reader,
    writer,
    removed,
    transactions: { run: (nested) => transaction.nested(nested) },
    audit,
  };
  return { value: await work(bound, transaction), audit };
}

/** Thrown to roll a transaction back. */
class RolledBack extends Error {
  readonly attempt: Attempt<unknown>;

  constructor(done: Attempt<unknown>) {
    super('rolled back on purpose');
    this.attempt = done;
  }
}

/** Keeps the records of a transaction until its end is known. */
class BufferedAudit implements AuditLog {
  readonly #writes: ((audit: AuditLog) => void)[] = [];
  #first: AuditRecord | undefined;

  record(record: AuditRecord): void {
    this.#first ??= record;
    this.#writes.push((audit) => audit.record(record));
  }

  cascaded(
    cascades: readonly Cascade[],
    context: { readonly actor: AuditRecord['actor']; readonly requestId: string | null },
  ): void {
    this.#writes.push((audit) => audit.cascaded(cascades, context));
  }

  writeTo(audit: AuditLog): void {
    for (const write of this.#writes) write(audit);
  }

  /** One record, whatever the request would have changed. */
  writeDryRunTo(audit: AuditLog): void {
    const record = this.#first;
    if (record !== undefined) audit.record({ ...record, details: { ...record.details, dryRun: true } });
  }
}
