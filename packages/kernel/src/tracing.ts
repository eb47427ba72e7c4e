/** What is told of a span. Secrets, queries and bodies are never among it. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** How a span is named in log lines: lower-case hex, as in W3C Trace Context. */
export interface TraceIds {
  readonly trace_id: string;
  readonly span_id: string;
}

/** One timed step of work, as traces show it. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks the step as failed; `errorType` is one of few stable words, such as a problem code. */
  fail(errorType: string): void;
}

/** What a span begins with. The name is one of few: it holds nothing that a client sent. */
export interface SpanStart {
  readonly name: string;
  /** `client`: the time is spent waiting for another system. */
  readonly kind: 'internal' | 'client';
  readonly attributes?: SpanAttributes;
}

/** Times steps of work. */
export interface Tracer {
  /**
   * Must run `work` once, in a span below the one that runs now, and settle as `work` does. The span ends then, as failed
   * when `work` rejected. What becomes of the span must neither fail nor delay the work.
   */
  span<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
}

/** The span of a request that is served. */
export interface RequestSpan extends Span {
  readonly ids: TraceIds;
  /** Runs `work`; spans that begin in it, or in what it awaits, are below this one. */
  run(work: () => void): void;
  end(name: string): void;
}

/** Times requests that are served. */
export interface RequestTracer {
  /**
   * Must begin a span below the one that the `traceparent` header names, or a trace of its own when there is none. Whether the trace is
   * sampled may follow the header only when the peer that sent it is `trusted`.
   */
  request(
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    trusted: boolean,
  ): RequestSpan;
}

const noSpan: Span = { set() {}, fail() {} };

/** Times nothing. */
export const noTracer: Tracer = { span: (_start, work) => work(noSpan) };
