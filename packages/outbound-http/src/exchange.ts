import { type IncomingMessage, request as sendRequest } from 'node:http';
import type { Socket } from 'node:net';
import {
  OutboundFailed,
  OutboundRefused,
  type OutboundRequest,
  type OutboundResponse,
} from '@platform/kernel';
import type { Target } from './target.ts';

/** Set by the module or by the protocol: a caller who could would smuggle a second request or another host. */
const FRAMING = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect', 'te', 'trailer'],
  ...['keep-alive', 'proxy-connection', 'accept-encoding'],
]);

/** Refuses headers that frame the message or cannot be sent. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const sendable = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value);
    if (!sendable || FRAMING.has(name.toLowerCase())) {
      throw new OutboundRefused('bad_header', 'a header of the request may not be sent');
    }
  }
}

/** Sends one request over a connected socket and reads the whole answer, at most `maxBytes` of body. */
export function exchange(
  socket: Socket,
  target: Target,
  request: OutboundRequest,
  maxBytes: number,
): Promise<OutboundResponse> {
  const { url } = target;
  return new Promise((resolve, reject) => {
    const outgoing = sendRequest({
      createConnection: () => socket,
      method: request.method,
      path: url.pathname + url.search,
      headers: {
        ...request.headers,
        Host: url.host,
        Connection: 'close',
        // Attack: a small answer that unpacks to gigabytes. Nothing is ever unpacked.
        'Accept-Encoding': 'identity',
        ...(request.body === undefined ? {} : { 'Content-Length': Buffer.byteLength(request.body) }),
      },
    });
    outgoing.on('error', reject);
    outgoing.once('upgrade', () =>
      reject(new OutboundFailed('bad_response', `${url.origin} changed the protocol`)),
    );
    outgoing.once('response', (incoming) => {
      readAnswer(incoming, url.origin, maxBytes).then(resolve, reject);
    });
    outgoing.end(request.body);
  });
}

async function readAnswer(
  incoming: IncomingMessage,
  origin: string,
  maxBytes: number,
): Promise<OutboundResponse> {
  const status = incoming.statusCode ?? 0;
  // Attack: the answer sends the request on to an address that was never judged.
  if (status >= 300 && status < 400)
    throw new OutboundFailed('redirect', `${origin} answered with a redirect`);
  const encoding = incoming.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new OutboundFailed('compressed', `${origin} answered with a compressed body`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Attack: an answer without end.
    if (size > maxBytes)
      throw new OutboundFailed('too_large', `${origin} answered more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  if (!incoming.complete) throw new OutboundFailed('bad_response', `${origin} cut its answer short`);
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    headers[name] = (values ?? []).join(', ');
  return { status, headers, body: Buffer.concat(chunks) };
}
