import type { AuditStore } from '@platform/access';
import { diagnoseExtension, type ProxyPorts, readEnvironment } from '@platform/oauth-proxy';
import { createTxtLookup } from '@platform/outbound-http';
import { encryptSecret, mintWorkloadToken, type ProjectPorts, workloadTokenSchema } from '@platform/projects';
import { requireValid } from '@platform/resources';
import {
  createEncryptLimiter,
  createInProjectDryRun,
  createInProjectTransaction,
  createProjectDryRunStores,
  createProjectStores,
} from '@platform/store-postgres';
import { type BoundEndpoint, bind } from '../endpoint/descriptor.ts';
import { identityEndpoints } from '../routes/identity/index.ts';
import { onceInAWhile } from '../routes/projects/extension-doctor.ts';
import { typedResourceEndpoints } from '../routes/projects/index.ts';
import { sent } from '../routes/projects/item.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { TokenServices } from './tokens.ts';

/** Typed resources, workload tokens, and the encryption of secrets: the endpoints. */
export function wireProjects(
  infrastructure: Infrastructure,
  tokens: TokenServices,
  oauth: ProxyPorts,
  audit: AuditStore,
): readonly BoundEndpoint[] {
  const { config, store } = infrastructure;
  const ports = projectPorts(infrastructure);
  const tokenSchema = workloadTokenSchema(config.deployment_controller.identity_token_ttl_seconds);
  const inTransaction = createInProjectTransaction(store.database);
  const inDryRun = createInProjectDryRun(store.database);
  const askingPorts = { ...ports, ...createProjectDryRunStores(store.database, false) };
  const limiter = createEncryptLimiter(store.database, config.limits.encrypt_requests_per_hour);
  return [
    ...bind(typedResourceEndpoints, {
      ports,
      dryRunPorts: { ...ports, ...createProjectDryRunStores(store.database) },
      repeats: {
        inTransaction: (work) => inTransaction((bound, requests) => work({ ...ports, ...bound }, requests)),
        askingPorts,
      },
      dryRunRepeats: {
        inTransaction: (work) => inDryRun((bound, requests) => work({ ...ports, ...bound }, requests)),
        askingPorts,
      },
      environment: (extension) => readEnvironment(oauth, extension),
      doctor: onceInAWhile((extension) => diagnoseExtension(oauth, extension), infrastructure.clock),
      audit,
    }),
    ...bind(identityEndpoints, {
      mintWorkloadToken: async (credential, readBody) =>
        mintWorkloadToken(
          {
            deployments: ports.deployments,
            tokens: tokens.issuing,
            clock: ports.clock,
            projects: ports.projects,
          },
          credential,
          await sent(readBody, (body) => requireValid(tokenSchema, body)),
        ),
      encrypt: (user, body) => encryptSecret({ ...ports, limiter }, user, body),
    }),
  ];
}

function projectPorts({ config, store, sealer, clock, random, identifiers }: Infrastructure): ProjectPorts {
  return {
    ...createProjectStores(store.database),
    defaultOrganization: config.default_organization.name,
    projectUrlTemplate: config.server.project_url_template,
    publicUrl: config.server.public_url,
    specPolicy: { insecureOrigins: config.outbound.allow_insecure_origins },
    nameQuarantineDays: config.projects.name_quarantine_days,
    lookupTxt: createTxtLookup({
      servers: config.outbound.dns_servers,
      timeoutMs: config.outbound.timeout_ms,
    }),
    identifiers,
    sealer,
    clock,
    random,
  };
}
