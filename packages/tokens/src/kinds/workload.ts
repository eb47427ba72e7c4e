import { z } from 'zod';
import type { CommonClaims, IssuedKind } from './kind.ts';
import { absent, commonShape, numericDate, text } from './shapes.ts';

/** Which workload it is, and for whom the token is meant. */
export interface WorkloadInput {
  /** The name of the project, a DNS label. */
  readonly project: string;
  readonly projectUid: string;
  /** The name of the environment, a DNS label. */
  readonly environment: string;
  /** The id of the deployment. */
  readonly deployment: string;
  /** As the caller asked for it. */
  readonly audience: string;
}

/** The claims of a workload identity token. */
export interface WorkloadClaims extends CommonClaims {
  readonly project: string;
  readonly project_uid: string;
  readonly environment: string;
  readonly deployment: string;
  readonly nbf: number;
  readonly token_use: 'workload';
}

/** Says to an external system which deployment is calling; verified there, from the JWKS. */
export const workloadKind: IssuedKind<WorkloadInput, WorkloadClaims> = {
  name: 'workload',
  alg: 'RS256',
  typ: 'JWT',
  typOptional: false,
  audience: 'as the caller asked for it',
  lifetimeKey: 'deployment_controller.identity_token_ttl_seconds',
  shape: z
    .looseObject({
      ...commonShape,
      project: text,
      project_uid: text,
      environment: text,
      deployment: text,
      nbf: numericDate,
      token_use: z.literal('workload'),
      principal: absent,
    })
    .refine(({ sub, project, environment }) => sub === subjectOf(project, environment)),
  audienceOf: ({ audience }) => audience,
  claimsOf: ({ project, projectUid, environment, deployment }, now) => ({
    sub: subjectOf(project, environment),
    project,
    project_uid: projectUid,
    environment,
    deployment,
    nbf: now,
    token_use: 'workload',
  }),
};

function subjectOf(project: string, environment: string): string {
  // Attack: the project `a:env:b` would read as environment `b` of project `a` to who trusts the subject.
  if (project.includes(':') || environment.includes(':')) {
    throw new RangeError('the name of a project or an environment holds a colon');
  }
  return `platform:proj:${project}:env:${environment}`;
}
