export { maskText } from './logging/lines.ts';
export { createLogger, type Logging } from './logging/logger.ts';
export { nodeOptions, onStopRequest, readConfigOrExit, releaseStartMemory } from './process.ts';
export { openTelemetry } from './telemetry.ts';
export type { Tracing } from './tracing/tracing.ts';
