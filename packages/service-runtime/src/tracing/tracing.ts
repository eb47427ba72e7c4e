import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  createContextKey,
  defaultTextMapGetter,
  type Span as OpenTelemetrySpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '@platform/config';
import type { RequestTracer, Span, TraceIds, Tracer } from '@platform/kernel';
import { createExporter, reportFailures } from './exporter.ts';

/** The tracing of a process. */
export interface Tracing extends Tracer, RequestTracer {
  /** The ids of the current span; null outside of any span. */
  current(): TraceIds | null;
  /** Sends the remaining spans, waiting at most two seconds. Never rejects. */
  close(): Promise<void>;
}

const closeTimeoutMs = 2_000;
/** Limits the values of attributes: a path can have 32 KiB. */
const maxValueLength = 1_024;
/** Marks the context of a request whose sender must not decide about sampling. */
const ownDecision = createContextKey('platform.own-sampling-decision');
const errorWord = /^[\w.:-]{1,64}$/;

/**
 * Starts exporting spans over OTLP. Uses no automatic instrumentation and no global tracer provider: only spans that the platform
 * creates are exported, with the attributes that it sets. `onFailure` is called at most once a minute.
 */
export async function startTracing(
  options: TracingSettings,
  onFailure: (reason: string, skipped: number) => void,
): Promise<Tracing> {
  const fail = reportFailures(onFailure);
  const exporter = await createExporter(options);
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(options.resource)),
    sampler: createSampler(options.sampler),
    spanLimits: { attributeValueLengthLimit: maxValueLength },
    spanProcessors: [new BatchSpanProcessor({ exporter, ...options.batch })],
  });
  const tracer = provider.getTracer('platform');
  const running = new AsyncLocalStorage<Context>();
  const parents = new W3CTraceContextPropagator();
  const currentContext = () => running.getStore() ?? ROOT_CONTEXT;

  return {
    async span({ name, kind, attributes = {} }, work) {
      const started = { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes };
      const span = tracer.startSpan(name, started, currentContext());
      const own = spanOf(span);
      try {
        return await running.run(trace.setSpan(currentContext(), span), () => work(own));
      } catch (error) {
        own.fail(errorType(error));
        throw error;
      } finally {
        span.end();
      }
    },
    request(headers, trusted) {
      const parent = options.acceptParents
        ? parents.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
        : ROOT_CONTEXT;
      const sampled = trusted ? parent : parent.setValue(ownDecision, true);
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, sampled);
      const context = trace.setSpan(parent, span);
      return {
        ...spanOf(span),
        ids: idsOf(span),
        run: (work) => running.run(context, work),
        end(name) {
          span.updateName(name);
          span.end();
        },
      };
    },
    current() {
      const span = trace.getSpan(currentContext());
      return span === undefined ? null : idsOf(span);
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeTimeoutMs);
      });
      const sent = provider.shutdown().catch(fail);
      await Promise.race([sent, timeout]);
      clearTimeout(timer);
    },
  };
}

function spanOf(span: OpenTelemetrySpan): Span {
  return {
    set: (attributes) => void span.setAttributes(attributes),
    fail(type) {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}

function idsOf(span: OpenTelemetrySpan): TraceIds {
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

function createSampler({ followParent, ratio }: TracingSettings['sampler']): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  return ownDecisions(followParent ? new ParentBasedSampler({ root }) : root, ratio);
}

/**
 * Attack: an outside caller sends a `traceparent` that says "sampled", or an id that the ratio samples, with every request, and fills the
 * collector of the traces; or one that says "not sampled", to stay out of them. So the decision ignores both.
 */
function ownDecisions(sampler: Sampler, ratio: number): Sampler {
  return {
    shouldSample(context, ...span) {
      if (context.getValue(ownDecision) !== true) return sampler.shouldSample(context, ...span);
      const sampled = Math.random() < ratio;
      return { decision: sampled ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
    },
    toString: () => `OwnDecisions{${sampler}}`,
  };
}

/**
 * The value of `error.type` for a failure: the reason or code of an error of the platform, Node.js or PostgreSQL, else the name of its
 * class. Never its message, which may contain client input.
 */
function errorType(error: unknown): string {
  const { reason, code, name } = (error ?? {}) as Readonly<Record<string, unknown>>;
  for (const candidate of [reason, code, name]) {
    if (typeof candidate === 'string' && errorWord.test(candidate)) return candidate;
  }
  return '_OTHER';
}
