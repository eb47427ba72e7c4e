import { type Config, platformVersion } from '@platform/config';
import { createLogger, type Logging } from '@platform/logger-winston';
import type { Tracing } from '@platform/tracing-opentelemetry';

/** What a process tells of itself while it runs. */
export interface Telemetry {
  readonly logging: Logging;
  /** Null when traces are off: nothing of OpenTelemetry is loaded then. */
  readonly tracing: Tracing | null;
}

/** Opens the log, and traces when they are switched on. */
export async function wireTelemetry(config: Config): Promise<Telemetry> {
  const { tracing: settings } = config;
  const own = { level: config.log.level, format: config.log.format, service: 'collector' } as const;
  if (settings === null) return { logging: createLogger(own), tracing: null };
  const { startTracing } = await import('@platform/tracing-opentelemetry');
  let tracing: Tracing | null = null;
  const logging = createLogger({ ...own, traceIds: () => tracing?.current() ?? null });
  const names = { 'service.name': 'platform-collector', 'service.version': platformVersion };
  tracing = await startTracing(
    { ...settings, resource: { ...names, ...settings.resource } },
    (reason, leftOut) => logging.logger.warn('traces could not be exported', { reason, leftOut }),
  );
  return { logging, tracing };
}
