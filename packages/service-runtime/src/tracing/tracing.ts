import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
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
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '@platform/config';
import type { RequestTracer, Span, TraceIds, Tracer } from '@platform/kernel';
import { errorType } from './error-type.ts';
import { createExporter } from './exporter.ts';
import { reportFailures } from './failures.ts';

/** The tracing of a process. */
export interface Tracing extends Tracer, RequestTracer {
  /** Names the span that runs now; null outside of all. */
  current(): TraceIds | null;
  /** Sends what is left, for at most two seconds. Never rejects. */
  close(): Promise<void>;
}

const closeMs = 2_000;
/** Of an attribute's value: a path may have 32 KiB. */
const longestValue = 1_024;

/**
 * Starts to send spans over OTLP. Nothing is registered with OpenTelemetry's globals, and nothing is instrumented behind anybody's
 * back: there are the spans that the platform makes, with the attributes that it gives them. `onFailure` hears at most once a minute.
 */
export async function startTracing(
  options: TracingSettings,
  onFailure: (reason: string, leftOut: number) => void,
): Promise<Tracing> {
  const fail = reportFailures(onFailure);
  const exporter = await createExporter(options);
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(options.resource)),
    sampler: createSampler(options.sampler),
    spanLimits: { attributeValueLengthLimit: longestValue },
    spanProcessors: [new BatchSpanProcessor({ exporter, ...options.batch })],
  });
  const tracer = provider.getTracer('platform');
  const running = new AsyncLocalStorage<Context>();
  const parents = new W3CTraceContextPropagator();
  const now = () => running.getStore() ?? ROOT_CONTEXT;

  return {
    async span({ name, kind, attributes = {} }, work) {
      const started = { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes };
      const span = tracer.startSpan(name, started, now());
      const own = spanOf(span);
      try {
        return await running.run(trace.setSpan(now(), span), () => work(own));
      } catch (error) {
        own.fail(errorType(error));
        throw error;
      } finally {
        span.end();
      }
    },
    request(headers) {
      const parent = options.acceptParents
        ? parents.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
        : ROOT_CONTEXT;
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
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
      const span = trace.getSpan(now());
      return span === undefined ? null : idsOf(span);
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeMs);
      });
      const sent = provider.shutdown().catch(fail);
      await Promise.race([sent, patience]);
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
  return followParent ? new ParentBasedSampler({ root }) : root;
}
