import { type Config, platformVersion } from '@platform/config';
import { createLogger, type Logging } from './logging/logger.ts';
import type { Tracing } from './tracing/tracing.ts';

/** What a process tells of itself while it runs. */
export interface Telemetry {
  readonly logging: Logging;
  /** Null when traces are off: nothing of OpenTelemetry is loaded then. */
  readonly tracing: Tracing | null;
}

/** Opens the log, and traces when they are switched on. A process that only starts others passes `traces: false`. */
export async function openTelemetry(
  config: Pick<Config, 'log' | 'tracing'>,
  { service, traces = true }: { readonly service: 'api' | 'collector'; readonly traces?: boolean },
): Promise<Telemetry> {
  const own = { level: config.log.level, format: config.log.format, service };
  const settings = traces ? config.tracing : null;
  if (settings === null) return { logging: createLogger(own), tracing: null };
  const { startTracing } = await import('./tracing/tracing.ts');
  let tracing: Tracing | null = null;
  const logging = createLogger({ ...own, traceIds: () => tracing?.current() ?? null });
  const names = { 'service.name': `platform-${service}`, 'service.version': platformVersion };
  tracing = await startTracing(
    { ...settings, resource: { ...names, ...settings.resource } },
    (reason, leftOut) => logging.logger.warn('traces could not be exported', { reason, leftOut }),
  );
  return { logging, tracing };
}
