import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '@platform/config';

/** Makes what posts spans in the wanted encoding; only that encoding is loaded. */
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
