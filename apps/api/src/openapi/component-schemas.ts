import type { Schema } from '../endpoint/documentation.ts';
import { accessSchemas } from '../routes/access/schemas.ts';
import { auditSchemas } from '../routes/audit/schemas.ts';
import { tokenSchemas } from '../routes/auth/schemas.ts';
import { typedResourceSchemas } from '../routes/projects/schemas.ts';
import { resourceSchemas } from '../routes/resources/schemas.ts';
import { watchSchemas } from '../routes/watch/schemas.ts';
import { refusalSchemas } from './refusal-schemas.ts';

/** The `components.schemas` of every installation; registered kinds add their own. */
export const componentSchemas: Readonly<Record<string, Schema>> = {
  ...resourceSchemas,
  ...watchSchemas,
  ...typedResourceSchemas,
  ...accessSchemas,
  ...tokenSchemas,
  ...auditSchemas,
  ...refusalSchemas,
};
