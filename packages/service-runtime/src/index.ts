export { ListenError, listenOn, startFailure } from './listen-on.ts';
export { maskText } from './logging/lines.ts';
export { createLogger, type Logging } from './logging/logger.ts';
export { releaseMemory, releaseMemoryAfterLoad } from './memory.ts';
export { handleOutputErrors } from './output-errors.ts';
export { exitAfter, nodeOptions, onStopRequest, pause, processName, readConfigOrExit } from './process.ts';
export { openTelemetry } from './telemetry.ts';
export type { Tracing } from './tracing/tracing.ts';
