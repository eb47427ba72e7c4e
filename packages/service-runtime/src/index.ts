export { createLogger, type Logging } from './logging/logger.ts';
export { maskText } from './logging/redact.ts';
export { nodeOptions } from './process/node-options.ts';
export { readConfigOrExit } from './process/read-config.ts';
export { releaseStartMemory } from './process/release-start-memory.ts';
export { onStopRequest } from './process/stop-request.ts';
export { openTelemetry } from './telemetry.ts';
export type { Tracing } from './tracing/tracing.ts';
