import type { Logger } from '@platform/kernel';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import { identify } from './http/identify.ts';
import type { Metrics } from './http/metrics.ts';
import { observe } from './http/observe.ts';
import { refuse } from './http/refuse.ts';
import { unknownEndpoint } from './http/unknown-endpoint.ts';

/** What the steps are made of. */
export interface PipelineParts {
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly accessLog: Logger | null;
  /** Lets requests through once the service can serve them, else answers 503. */
  readonly admission: RequestHandler;
  readonly mount: (app: Express) => void;
}

/** Builds the way of a request through the application: the one place where the order stands. */
export function buildPipeline(app: Express, parts: PipelineParts): void {
  const use = (step: RequestHandler | ErrorRequestHandler) => () => app.use(step);
  const steps = {
    identify: use(identify),
    observe: use(observe(parts.metrics, parts.accessLog)),
    admission: use(parts.admission),
    routes: () => parts.mount(app), // each passes the gate first, then reads its body
    unknown: use(unknownEndpoint),
    refuse: use(refuse(parts.log)),
  };
  for (const step of Object.values(steps)) step();
}
