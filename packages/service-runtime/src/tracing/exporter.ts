import { DiagLogLevel, diag } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '@platform/config';

/** The shortest interval between two reports. An unreachable collector fails an export every few seconds. */
const reportIntervalMs = 60_000;

/** Creates the exporter for the configured encoding; loads only the code of that encoding. */
export async function createExporter(options: TracingSettings): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    options.protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  type Settings = NonNullable<ConstructorParameters<typeof OTLPTraceExporter>[0]>;
  return new OTLPTraceExporter({
    url: options.url,
    headers: { ...options.headers },
    timeoutMillis: options.timeoutMs,
    compression: options.compression as NonNullable<Settings['compression']>,
    httpAgentOptions: { keepAlive: true, ...options.tls },
  });
}

/**
 * Reports export failures at most once a minute, with the number of failures that were skipped in between. Registers with both global
 * outlets of OpenTelemetry (its error handler and its diagnostic log), and returns a function that reports other failures the same way.
 */
export function reportFailures(report: (reason: string, skipped: number) => void): (error: unknown) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let skipped = 0;
  const reportReason = (reason: string) => {
    if (performance.now() - reportedAt < reportIntervalMs) {
      skipped += 1;
      return;
    }
    reportedAt = performance.now();
    report(reason, skipped);
    skipped = 0;
  };
  // Only the message: the error object carries the response of the collector.
  const fail = (error: unknown) => reportReason(messageOf(error));
  setGlobalErrorHandler(fail);
  const ignore = () => undefined;
  diag.setLogger(
    { error: reportReason, warn: reportReason, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  return fail;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { readonly code?: unknown };
  if (error.message !== '') return error.message;
  return code === undefined ? error.name : String(code);
}
