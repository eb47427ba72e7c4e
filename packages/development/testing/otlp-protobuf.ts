/** A span as it arrived. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  readonly resource: Readonly<Record<string, unknown>>;
}

type Field = number | Buffer;
type Message = ReadonlyMap<number, readonly Field[]>;

/** The spans of an `ExportTraceServiceRequest` (opentelemetry-proto, `trace/v1/trace.proto`), read field by field. */
export function spansOfProtobuf(bytes: Buffer): readonly ReceivedSpan[] {
  return messages(decode(bytes), 1).flatMap((resourceSpans) => {
    const [resource] = messages(resourceSpans, 1);
    const resourceAttributes = resource === undefined ? {} : attributes(resource, 1);
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => ({
        traceId: hex(span, 1),
        spanId: hex(span, 2),
        parentSpanId: hex(span, 4) || null,
        name: text(span, 5),
        kind: number(span, 6),
        attributes: attributes(span, 9),
        failed: messages(span, 15).some((status) => number(status, 3) === 2),
        resource: resourceAttributes,
      }));
  });
}

function decode(bytes: Buffer): Message {
  const fields = new Map<number, Field[]>();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag & 7;
    const field = wire === 0 ? varint() : take(wire === 2 ? varint() : wire === 1 ? 8 : 4);
    const key = Math.floor(tag / 8);
    fields.set(key, [...(fields.get(key) ?? []), field]);
  }
  return fields;
}

function messages(message: Message, key: number): readonly Message[] {
  return (message.get(key) ?? []).map((field) => decode(field as Buffer));
}

function text(message: Message, key: number): string {
  return String(message.get(key)?.[0] ?? '');
}

function hex(message: Message, key: number): string {
  return ((message.get(key)?.[0] ?? Buffer.alloc(0)) as Buffer).toString('hex');
}

function number(message: Message, key: number): number {
  return (message.get(key)?.[0] ?? 0) as number;
}

function attributes(message: Message, key: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    messages(message, key).map((pair) => {
      const [value = new Map()] = messages(pair, 2);
      if (value.has(2)) return [text(pair, 1), number(value, 2) === 1];
      if (value.has(3)) return [text(pair, 1), number(value, 3)];
      return [text(pair, 1), text(value, 1)];
    }),
  );
}
