import { docs, docsAsset } from './docs.ts';
import { metrics } from './metrics.ts';
import { openApi } from './openapi.ts';
import { healthz, readyz } from './probes.ts';

/** Endpoints that answer also while the service cannot serve. */
export const probeEndpoints = [healthz, readyz];

/** In a list of its own, since `server.metrics_listen` moves it to another listener. */
export const metricsEndpoints = [metrics];

/** The documentation of the API. */
export const documentationEndpoints = [openApi, docs, docsAsset];
