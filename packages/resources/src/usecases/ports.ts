import type { AuditLog } from '../ports/audit-log.ts';
import type { Identifiers } from '../ports/identifiers.ts';
import type { ResourceReader } from '../ports/resource-reader.ts';
import type { ResourceWriter } from '../ports/resource-writer.ts';
import type { SchemaValidator } from '../ports/schema-validator.ts';
import type { Transactions } from '../ports/transactions.ts';

/** What the use cases are given. Each takes the part that it needs. */
export interface ResourcePorts {
  readonly reader: ResourceReader;
  readonly writer: ResourceWriter;
  readonly transactions: Transactions;
  readonly schemas: SchemaValidator;
  readonly audit: AuditLog;
  readonly identifiers: Identifiers;
}
