/** Where spans go, which of them, and in what portions. Times are milliseconds. */
export interface TracingOptions {
  readonly protocol: 'http/protobuf' | 'http/json';
  /** The whole address that spans are posted to, such as `http://localhost:4318/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: 'none' | 'gzip';
  /** For one export, attempts and pauses together. */
  readonly timeoutMs: number;
  /** PEM texts: whom to trust, and as whom to present ourselves. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Who sends the spans: `service.name` and the like. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: {
    /** What the parent decided counts, and the rest only where there is none. */
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
