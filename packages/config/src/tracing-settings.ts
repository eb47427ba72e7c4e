/** Where traces go and which: what the standard variables of OpenTelemetry say. Times are milliseconds. */
export interface TracingSettings {
  readonly protocol: 'http/protobuf' | 'http/json';
  /** The whole address that spans are posted to, such as `http://localhost:4318/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: 'none' | 'gzip';
  /** For one export, attempts and pauses together. */
  readonly timeoutMs: number;
  /** PEM texts. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** `OTEL_RESOURCE_ATTRIBUTES`, with `service.name` when `OTEL_SERVICE_NAME` gives one. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: {
    /** Whether the parent decides where there is one. */
    readonly followParent: boolean;
    /** Share of the traces, 0 to 1. */
    readonly ratio: number;
  };
  /** Whether a request may name its parent in `traceparent`. */
  readonly acceptParents: boolean;
  readonly batch: {
    readonly scheduledDelayMillis: number;
    readonly exportTimeoutMillis: number;
    /** Spans that come while so many wait are dropped. */
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
  };
}

/** Every variable that is read, and no other of OpenTelemetry's is; `docs/tracing.md` explains each. */
export const tracingVariables = [
  'OTEL_SDK_DISABLED',
  'OTEL_TRACES_EXPORTER',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_COMPRESSION',
  'OTEL_EXPORTER_OTLP_TRACES_COMPRESSION',
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT',
  'OTEL_EXPORTER_OTLP_CERTIFICATE',
  'OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE',
  'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE',
  'OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE',
  'OTEL_EXPORTER_OTLP_CLIENT_KEY',
  'OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_PROPAGATORS',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_BSP_EXPORT_TIMEOUT',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
] as const;

/** The name of one of them. */
export type TracingVariable = (typeof tracingVariables)[number];
