/** The fields of a structured log line. Must not contain secrets. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A structured log. Each call writes one line; `message` is a constant phrase, and `fields` contains everything else. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** The attributes of a span. Must not contain secrets, queries or bodies. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The ids of a span in log lines: lower-case hex, as in W3C Trace Context. */
export interface TraceIds {
  readonly trace_id: string;
  readonly span_id: string;
}

/** One timed step of work in a trace. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks the step as failed. `errorType` is one of a few constants, such as a problem code. */
  fail(errorType: string): void;
}

/** The start of a span. The name is one of a few constants and contains no client input. */
export interface SpanStart {
  readonly name: string;
  /** `client`: the step waits for another system. */
  readonly kind: 'internal' | 'client';
  readonly attributes?: SpanAttributes;
}

/** Creates spans for steps of work. */
export interface Tracer {
  /**
   * Must run `work` once, in a child span of the current span, and settle as `work` does. The span then ends, as failed
   * if `work` rejected. An error of the tracer must neither fail nor delay the work.
   */
  span<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
}

/** The span of an incoming request. */
export interface RequestSpan extends Span {
  readonly ids: TraceIds;
  /** Runs `work`. Spans that are started in its async context are children of this span. */
  run(work: () => void): void;
  end(name: string): void;
}

/** Creates spans for incoming requests. */
export interface RequestTracer {
  /**
   * Must start a child span of the one in the `traceparent` header, or a new trace without that header. Sampling may follow the header only
   * if the peer that sent it is `trusted`.
   */
  request(
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    trusted: boolean,
  ): RequestSpan;
}

const noSpan: Span = { set() {}, fail() {} };

/** A tracer without effect. */
export const noTracer: Tracer = { span: (_start, work) => work(noSpan) };
