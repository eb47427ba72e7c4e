export { defaultLimits, type Limits } from './limits.ts';
export { createSchemaValidator, type SchemaValidatorOptions } from './schema-validator.ts';
