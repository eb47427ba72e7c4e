import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { type ReceivedSpan, spansOfProtobuf } from './otlp-protobuf.ts';

/** One post, as it came, unpacked. */
export interface ReceivedExport {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A collector of traces on loopback that takes OTLP over HTTP, as protobuf or JSON, and keeps what it got. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly exports: ReceivedExport[] = [];
  /** The status of its answers; null: it never answers. */
  status: number | null = 200;
  readonly #changed = new Set<() => void>();
  readonly #server: Server;
  readonly #scheme: 'http' | 'https';

  private constructor(tls: ServerOptions | undefined) {
    const receive: RequestListener = async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const packed = Buffer.concat(chunks);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(packed) : packed;
      this.exports.push({ path: request.url ?? '', headers: request.headers, body });
      if (this.status === 200) {
        const json = request.headers['content-type'] === 'application/json';
        this.spans.push(...(json ? spansOfJson(body) : spansOfProtobuf(body)));
      }
      for (const look of this.#changed) look();
      if (this.status !== null) response.writeHead(this.status).end();
    };
    this.#scheme = tls === undefined ? 'http' : 'https';
    this.#server = tls === undefined ? createServer(receive) : createSecureServer(tls, receive);
  }

  /** Listens on a free port, with TLS when told how. */
  static async open(tls?: ServerOptions): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver(tls);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Everything that arrived, as it stood on the wire. */
  get wire(): string {
    return this.exports.map(({ body }) => body.toString('latin1')).join('\n');
  }

  /** Resolves with the first span that fits, once it is there. */
  span(fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
    return this.#when(() => this.spans.find(fits));
  }

  /** Resolves with the post of that index, once it is there. */
  export(index: number): Promise<ReceivedExport> {
    return this.#when(() => this.exports[index]);
  }

  #when<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        this.#changed.delete(look);
        resolve(found);
      };
      this.#changed.add(look);
      look();
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

interface JsonAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface JsonSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly JsonAttribute[];
  readonly status: { readonly code: number };
}

interface JsonRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly JsonAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly JsonSpan[] }[];
  }[];
}

function spansOfJson(body: Buffer): readonly ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body.toString()) as JsonRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ traceId, spanId, parentSpanId, name, kind, attributes, status }) => ({
        traceId,
        spanId,
        name,
        kind,
        parentSpanId: parentSpanId ?? null,
        attributes: attributesOf(attributes),
        failed: status.code === 2,
        resource: attributesOf(resource.attributes),
      })),
  );
}

function attributesOf(attributes: readonly JsonAttribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
