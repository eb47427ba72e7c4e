import {
  deploymentKind,
  environmentKind,
  extensionKind,
  type ProjectPorts,
  serviceAccountKind,
} from '@platform/projects';
import type { Route } from '../route.ts';
import { childRoutes } from './children.ts';
import { type ExtensionDoctor, extensionDoctorRoute } from './extension-doctor.ts';
import { type ExtensionEnvironment, extensionEnvRoute } from './extension-env.ts';
import { projectRoutes } from './projects.ts';
import { rotateCredentialRoute, rotateSecretRoute } from './rotate-secrets.ts';
import { teamRoutes } from './teams.ts';

/** What the endpoints of the typed resources are made of. */
export interface ProjectParts {
  readonly ports: ProjectPorts;
  readonly environment: ExtensionEnvironment;
  readonly doctor: ExtensionDoctor;
  /** `server.body_limit_bytes`. */
  readonly bodyLimit: number;
}

/** Typed resources: projects, teams, and what is below projects. */
export function projectsRoutes({ ports, environment, doctor, bodyLimit }: ProjectParts): readonly Route[] {
  return [
    ...projectRoutes(ports, bodyLimit),
    ...teamRoutes(ports, bodyLimit),
    ...childRoutes(
      ports,
      { kind: environmentKind, store: ports.environments, writer: (transaction) => transaction.environments },
      bodyLimit,
    ),
    ...childRoutes(
      ports,
      {
        kind: serviceAccountKind,
        store: ports.serviceAccounts,
        writer: (transaction) => transaction.serviceAccounts,
      },
      bodyLimit,
    ),
    ...childRoutes(
      ports,
      { kind: deploymentKind, store: ports.deployments, writer: (transaction) => transaction.deployments },
      bodyLimit,
    ),
    ...childRoutes(
      ports,
      { kind: extensionKind, store: ports.extensions, writer: (transaction) => transaction.extensions },
      bodyLimit,
    ),
    rotateSecretRoute(ports),
    rotateCredentialRoute(ports, bodyLimit),
    extensionEnvRoute(ports, environment),
    extensionDoctorRoute(ports, doctor),
  ];
}
