import { type Config, softwareVersion } from '@platform/config';
import { createLogger, type Logging } from './logging/logger.ts';
import type { Tracing } from './tracing/tracing.ts';

/** The log and the traces of a process. */
export interface Telemetry {
  readonly logging: Logging;
  /** Null when tracing is off; no OpenTelemetry code is loaded then. */
  readonly tracing: Tracing | null;
}

/** Opens the log, and tracing if it is configured. A process that only starts worker processes passes `traces: false`. */
export async function openTelemetry(
  config: Pick<Config, 'log' | 'tracing'>,
  { service, traces = true }: { readonly service: 'api' | 'collector'; readonly traces?: boolean },
): Promise<Telemetry> {
  const options = { level: config.log.level, format: config.log.format, service };
  const settings = traces ? config.tracing : null;
  if (settings === null) return { logging: createLogger(options), tracing: null };
  const { startTracing } = await import('./tracing/tracing.ts');
  let tracing: Tracing | null = null;
  const logging = createLogger({ ...options, traceIds: () => tracing?.current() ?? null });
  const names = { 'service.name': `platform-${service}`, 'service.version': softwareVersion };
  tracing = await startTracing(
    { ...settings, resource: { ...names, ...settings.resource } },
    (reason, skipped) => logging.logger.warn('traces could not be exported', { reason, skipped }),
  );
  return { logging, tracing };
}
