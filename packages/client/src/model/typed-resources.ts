import type { components } from '../generated/api.ts';

type Schemas = components['schemas'];

/** A project, as `GET /api/v1/projects/{project}` returns it. The other types follow their endpoints in the same way. */
export type Project = Schemas['Project'];
export type ProjectList = Schemas['ProjectList'];
export type ProjectCreate = Schemas['ProjectCreate'];
export type ProjectReplace = Schemas['ProjectReplace'];

export type Team = Schemas['Team'];
export type TeamList = Schemas['TeamList'];
export type TeamCreate = Schemas['TeamCreate'];
export type TeamReplace = Schemas['TeamReplace'];

export type Environment = Schemas['Environment'];
export type EnvironmentList = Schemas['EnvironmentList'];
export type EnvironmentWrite = Schemas['EnvironmentWrite'];

export type ServiceAccount = Schemas['ServiceAccount'];
export type ServiceAccountList = Schemas['ServiceAccountList'];
export type ServiceAccountWrite = Schemas['ServiceAccountWrite'];

export type Deployment = Schemas['Deployment'];
export type DeploymentList = Schemas['DeploymentList'];
export type DeploymentWrite = Schemas['DeploymentWrite'];

export type Extension = Schemas['Extension'];
export type ExtensionList = Schemas['ExtensionList'];
export type ExtensionWrite = Schemas['ExtensionWrite'];

/** The token response (RFC 8693 section 2.2.1). */
export type TokenResponse = Schemas['ExchangedToken'];
