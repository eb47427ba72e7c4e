export { createLogger, type Level, type Logging, type LogOptions } from './logger.ts';
