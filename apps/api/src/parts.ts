/** The parts of the API that another program puts together, such as the platform for tests of controllers. */
export { createApp } from './app.ts';
export type { AppDeps } from './deps.ts';
export { createMetrics } from './http/metrics.ts';
export { createRateLimiter } from './process/rate-limiter.ts';
export { createApiServer, defaultTimeouts } from './process/server.ts';
export { accessAffectedBy } from './routes/watch/access-affected-by.ts';
export { streamTimers } from './wire/stream-timers.ts';
