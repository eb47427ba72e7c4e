export type { AuditLog, AuditMessage, AuditRecord, CascadeReason } from './audit-log.ts';
export type { DefinitionFacts } from './definition-facts.ts';
export type { DefinitionSource, LoadedDefinitions } from './definition-source.ts';
export type { Identifiers } from './identifiers.ts';
export type { OrganizationFacts } from './organization-facts.ts';
export type { Blocker, BlockerReport, Page, ResourceReader } from './resource-reader.ts';
export type {
  CreateCommand,
  CreateOutcome,
  FinalizersCommand,
  ReplaceCommand,
  ReplaceOutcome,
  ResourceWriter,
  StatusCommand,
  SubresourceOutcome,
} from './resource-writer.ts';
export type { SchemaValidator } from './schema-validator.ts';
export { StaleDefinitions } from './stale-definitions.ts';
export type {
  Cascade,
  DeletionSteps,
  LockedResource,
  Transaction,
  Transactions,
} from './transactions.ts';
