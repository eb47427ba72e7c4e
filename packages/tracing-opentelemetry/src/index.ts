export type { TracingOptions } from './options.ts';
export { startTracing, type Tracing } from './tracing.ts';
