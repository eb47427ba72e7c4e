export { createLogger, type Level, type Logging, type LogOptions } from './logger.ts';
export { maskText } from './redact.ts';
