import { systemClock } from '@platform/kernel';
import { type AuditLog, DefinitionCatalog, type ResourcePorts } from '@platform/resources';
import { createSchemaValidator } from '@platform/schema-validation';
import { createRateLimiter } from '../process/rate-limiter.ts';
import type { ResourceDeps } from '../routes/resources/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import { type StreamEnds, wireWatch } from './watch.ts';

/** Refusals of anonymous callers that are recorded in a minute, for each address. */
const recordedRefusals = 10;

/** The ports of the use cases of resources. Closing their schema validator is up to the caller. */
export function resourcePorts(
  { store, identifiers, sealer, config }: Infrastructure,
  audit: AuditLog,
): ResourcePorts {
  const { reader, history, removed, writer, transactions, plans } = store;
  const schemas = createSchemaValidator();
  return {
    reader,
    history,
    removed,
    writer,
    transactions,
    plans,
    sealer,
    schemas,
    audit,
    identifiers,
    controllerIds: config.auth.controllers.map(({ id }) => id),
    insecureOrigins: config.outbound.allow_insecure_origins,
    clock: systemClock,
  };
}

/** The dependencies of the resource API; the streams end as `deps` says. */
export function wireResources(
  infrastructure: Infrastructure,
  ports: ResourcePorts,
  deps: StreamEnds & Pick<ResourceDeps, 'roles'>,
): ResourceDeps {
  const { config, store } = infrastructure;
  return {
    ports,
    catalog: new DefinitionCatalog(store.definitions),
    access: deps.access,
    watch: wireWatch(infrastructure, deps),
    readingControllers: new Set(config.auth.controllers.filter(({ read }) => read).map(({ id }) => id)),
    roles: deps.roles,
    accountExists: deps.accountExists,
    bodyLimitBytes: config.server.body_limit_bytes,
    anonymousRefusals: createRateLimiter({ clock: systemClock, perMinute: recordedRefusals }),
  };
}
