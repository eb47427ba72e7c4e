export { defaultLimits, type Limits } from './limits.ts';
export { createSchemaValidator } from './schema-validator.ts';
