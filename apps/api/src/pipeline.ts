import type { Express } from 'express';
import type { AppDeps } from './deps.ts';
import { type BoundEndpoint, bind } from './endpoint/descriptor.ts';
import { type EndpointFamily, mountFamilies } from './endpoint/family.ts';
import { mountEndpoints } from './endpoint/mount.ts';
import { accessLog } from './http/access-log.ts';
import type { Authorize } from './http/authorize.ts';
import { crossOrigin } from './http/cors.ts';
import { errorHandler, unknownEndpoint } from './http/error-handler.ts';
import { readinessGuard, requestContext, transportSecurity } from './http/request-context.ts';
import { trace } from './http/trace.ts';
import { openApiDocument } from './openapi/document.ts';
import { registeredKinds } from './openapi/registered-kinds.ts';
import { accessEndpoints } from './routes/access/index.ts';
import { bindAuth } from './routes/auth/index.ts';
import { consoleFamily } from './routes/console/index.ts';
import { kubernetesFamily } from './routes/kubernetes/index.ts';
import { KindDirectory } from './routes/kubernetes/kind-directory.ts';
import { ListVersions } from './routes/kubernetes/list-versions.ts';
import { OpenApiDocuments } from './routes/kubernetes/openapi-documents.ts';
import { oauthEndpoints } from './routes/oauth/index.ts';
import { documentationEndpoints, metricsEndpoints, probeEndpoints } from './routes/operations/index.ts';
import { pageEndpoints } from './routes/pages/index.ts';
import { batchEndpoints } from './routes/resources/batch.ts';
import { resourceFamily } from './routes/resources/index.ts';
import { changes } from './routes/watch/changes.ts';

/** The steps of a request through the application, from top to bottom. Every endpoint authorizes first and reads the body last. */
export function buildPipeline(app: Express, deps: AppDeps, authorize: Authorize): void {
  const { resources, auth, ingress = [], stopping, audit = null } = deps;
  const settings = {
    authorize,
    limits: auth.limits,
    bodyLimitBytes: resources.bodyLimitBytes,
    stopping,
    audit,
    log: deps.log,
  };
  const steps = {
    transportSecurity: () => app.use(transportSecurity(auth.publicUrl)),
    requestContext: () => app.use(requestContext),
    accessLog: () => app.use(accessLog(deps.metrics, deps.accessLog)),
    crossOrigin: () => deps.corsOrigins.length > 0 && app.use(crossOrigin(deps.corsOrigins)),
    operations: () => mountEndpoints(app, operations(deps), settings),
    trace: () => deps.tracing !== null && app.use(trace(deps.tracing)),
    readinessGuard: () => app.use(readinessGuard(deps.isOpen)),
    // The busiest first, since express asks them in order.
    families: () =>
      mountFamilies(app, [resourceFamily(resources), ...kubernetes(deps), ...ingress], settings),
    endpoints: () => mountEndpoints(app, endpoints(deps), settings),
    console: () => mountFamilies(app, [consoleFamily()], settings),
    documentation: () => mountEndpoints(app, documentation(deps, authorize), settings),
    unknownEndpoint: () => app.use(unknownEndpoint),
    errorHandler: () => app.use(errorHandler(deps.log, audit)),
  };
  for (const mount of Object.values(steps)) mount();
}

/** The Kubernetes API, where it is switched on. */
function kubernetes({
  kubernetes: cluster,
  resources,
  auth,
  version,
  readiness,
}: AppDeps): readonly EndpointFamily[] {
  if (cluster == null) return [];
  const { ports, catalog } = resources;
  const directory = new KindDirectory(ports, catalog);
  const settings = {
    cluster,
    listVersions: new ListVersions(),
    openApi: new OpenApiDocuments(directory.known, version),
    softwareVersion: version,
    publicUrl: auth.publicUrl,
    clock: ports.clock,
    readiness,
  };
  return [kubernetesFamily({ ...resources, ...settings, directory })];
}

/** Endpoints that answer also while the service cannot serve. */
function operations({ readiness, metrics, servesMetrics }: AppDeps): readonly BoundEndpoint[] {
  const bound = servesMetrics ? bind(metricsEndpoints, { metrics }) : [];
  return [...bind(probeEndpoints, { readiness }), ...bound];
}

function endpoints({ auth, oauth, areas, resources }: AppDeps): readonly BoundEndpoint[] {
  return [
    ...bind(batchEndpoints, resources),
    ...bind(accessEndpoints, resources),
    ...bind([changes], resources.watch),
    ...bindAuth(auth),
    ...(oauth === undefined ? [] : bind(oauthEndpoints, oauth)),
    ...areas,
  ];
}

/** The documentation of the API, and pages for people. The shared document is made when it is first requested. */
function documentation(deps: AppDeps, authorize: Authorize): readonly BoundEndpoint[] {
  const { version, cookie, auth, resources } = deps;
  const settings = { publicUrl: auth.publicUrl, version, sessionCookie: cookie.name };
  let shared: string | undefined;
  const openApi = {
    shared: () => {
      shared ??= JSON.stringify(openApiDocument(settings));
      return shared;
    },
    withKinds: async () => openApiDocument(settings, await registeredKinds(resources.ports)),
  };
  return [
    ...bind(documentationEndpoints, { authorize, openApi }),
    ...bind(pageEndpoints, { authorize, version, publicUrl: auth.publicUrl }),
  ];
}
