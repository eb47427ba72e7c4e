export { createLogger, type Logging } from './logging/logger.ts';
export { maskText } from './logging/redact.ts';
export { nodeOptions, onStopRequest, readConfigOrExit, releaseStartMemory } from './process.ts';
export { openTelemetry } from './telemetry.ts';
export type { Tracing } from './tracing/tracing.ts';
