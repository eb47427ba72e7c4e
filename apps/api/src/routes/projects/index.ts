import type { AuditStore } from '@platform/access';
import type { Endpoint } from '../../endpoint/descriptor.ts';
import { withDryRun } from './dry-run.ts';
import { type ExtensionDoctor, extensionDoctor } from './extension-doctor.ts';
import { type ExtensionEnvironment, extensionEnv } from './extension-env.ts';
import { withIdempotencyKey } from './idempotency-key.ts';
import type { TypedDeps } from './item.ts';
import { kindEndpoints } from './kinds.ts';
import { projectLogins } from './logins.ts';
import { projectEndpoints } from './projects.ts';
import { rotateDeploymentCredential, rotateSecret } from './rotate-secrets.ts';
import { teamEndpoints } from './teams.ts';

/** The dependencies of the endpoints of typed resources. */
export interface ProjectDeps extends TypedDeps {
  readonly environment: ExtensionEnvironment;
  readonly doctor: ExtensionDoctor;
  readonly audit: AuditStore;
}

/** Typed resources: projects, teams, and what is below projects. */
export const typedResourceEndpoints: readonly Endpoint<ProjectDeps>[] = [
  ...[...projectEndpoints, ...teamEndpoints, ...kindEndpoints].map(withIdempotencyKey).map(withDryRun),
  ...[rotateSecret, rotateDeploymentCredential].map(withIdempotencyKey),
  extensionEnv,
  extensionDoctor,
  projectLogins,
];
