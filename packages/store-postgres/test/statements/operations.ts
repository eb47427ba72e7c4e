import { accessOperations } from './access-operations.ts';
import { auditOperations } from './audit-operations.ts';
import { changeLogOperations } from './change-log-operations.ts';
import { collectorOperations } from './collector-operations.ts';
import type { Operations } from './operation.ts';
import {
  definitionOperations,
  resourceDeletions,
  resourceReads,
  resourceWrites,
} from './resource-operations.ts';
import { selectionOperations } from './selection-operations.ts';
import { sessionOperations } from './session-operations.ts';
import { loginOperations, typedOperations } from './typed-operations.ts';

/** The operations on resources of the API and the collector. Deletions come last: they leave the most dead rows behind. */
export const resourceOperations: Operations = {
  ...resourceReads,
  ...definitionOperations,
  ...accessOperations,
  ...resourceWrites,
  ...changeLogOperations,
  ...collectorOperations,
  ...resourceDeletions,
};

/** Everything that API and collector ask of the database. A statement that none of these sends fails `statements.test.ts`. */
export const operations: Operations = {
  ...typedOperations,
  ...loginOperations,
  ...sessionOperations,
  ...auditOperations,
  ...resourceOperations,
  ...selectionOperations,
};
