export type { AuditLog, AuditMessage, AuditRecord, CascadeReason } from './audit-log.ts';
export type { DefinitionSource, LoadedDefinitions } from './definition-source.ts';
export { StaleDefinitions } from './definition-source.ts';
export type { Identifiers } from './identifiers.ts';
export type { DefinitionFacts, OrganizationFacts } from './kind-facts.ts';
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
export type {
  Cascade,
  DeletionSteps,
  LockedResource,
  Transaction,
  Transactions,
} from './transactions.ts';
