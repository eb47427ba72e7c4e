import { type Config, platformVersion } from '@platform/config';
import { createLogger, type Logging } from '@platform/logger-winston';
import type { Tracing } from '@platform/tracing-opentelemetry';

/** What a process tells of itself while it runs. */
export interface Telemetry {
  readonly logging: Logging;
  /** Null when traces are off: nothing of OpenTelemetry is loaded then. */
  readonly tracing: Tracing | null;
}

/** Opens the log, and traces when they are switched on and the process serves requests itself. */
export async function wireTelemetry(config: Config, { serves }: { serves: boolean }): Promise<Telemetry> {
  const settings = serves ? config.tracing : null;
  const own = { level: config.log.level, format: config.log.format, service: 'api' } as const;
  if (settings === null) return { logging: createLogger(own), tracing: null };
  const { startTracing } = await import('@platform/tracing-opentelemetry');
  let tracing: Tracing | null = null;
  const logging = createLogger({ ...own, traceIds: () => tracing?.current() ?? null });
  const names = { 'service.name': 'platform-api', 'service.version': platformVersion };
  tracing = await startTracing(
    { ...settings, resource: { ...names, ...settings.resource } },
    (reason, leftOut) => logging.logger.warn('traces could not be exported', { reason, leftOut }),
  );
  return { logging, tracing };
}
