/**
 * The types of typed resources, generated from the OpenAPI document. Do not edit; generate with
 * UPDATE_CLIENT_TYPES=1 pnpm jest apps/api/test/openapi/client-types
 */
import type { components } from './api.ts';

type Schemas = components['schemas'];

export type ProjectCreate = Schemas['ProjectCreate'];
export type ProjectReplace = Schemas['ProjectReplace'];
export type TeamCreate = Schemas['TeamCreate'];
export type TeamReplace = Schemas['TeamReplace'];
export type EnvironmentWrite = Schemas['EnvironmentWrite'];
export type EnvironmentReplace = Schemas['EnvironmentReplace'];
export type Environment = Schemas['Environment'];
export type EnvironmentList = Schemas['EnvironmentList'];
export type ServiceAccountWrite = Schemas['ServiceAccountWrite'];
export type ServiceAccountReplace = Schemas['ServiceAccountReplace'];
export type ServiceAccount = Schemas['ServiceAccount'];
export type ServiceAccountList = Schemas['ServiceAccountList'];
export type DeploymentWrite = Schemas['DeploymentWrite'];
export type DeploymentReplace = Schemas['DeploymentReplace'];
export type CredentialRotate = Schemas['CredentialRotate'];
export type Deployment = Schemas['Deployment'];
export type DeploymentList = Schemas['DeploymentList'];
export type ExtensionWrite = Schemas['ExtensionWrite'];
export type ExtensionReplace = Schemas['ExtensionReplace'];
export type ExtensionSpecWrite = Schemas['ExtensionSpecWrite'];
export type Extension = Schemas['Extension'];
export type ExtensionList = Schemas['ExtensionList'];
export type Project = Schemas['Project'];
export type ProjectList = Schemas['ProjectList'];
export type DomainChallenge = Schemas['DomainChallenge'];
export type DomainChallengeList = Schemas['DomainChallengeList'];
export type Team = Schemas['Team'];
export type TeamList = Schemas['TeamList'];
export type Login = Schemas['Login'];
export type LoginList = Schemas['LoginList'];
export type Diagnosis = Schemas['Diagnosis'];
export type Deleted = Schemas['Deleted'];
