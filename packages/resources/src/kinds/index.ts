export { organizationSpec, organizations } from './organization.ts';
export { resourceDefinitions } from './resource-definition.ts';
