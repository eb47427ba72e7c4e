import { type IncomingMessage, request as sendRequest } from 'node:http';
import type { Socket } from 'node:net';
import {
  OutboundError,
  OutboundRefusedError,
  type OutboundRequest,
  type OutboundResponse,
} from '@platform/kernel';
import type { Target } from './target.ts';

/** Headers that only the module sets. Attack: with these, a caller smuggles a second request, or names another host. */
const framingHeaders = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect', 'te', 'trailer'],
  ...['keep-alive', 'proxy-connection', 'accept-encoding'],
]);

/** The most bytes of a response besides its body: Node.js takes headers of 16 KiB, and chunks of usual size add little. */
const maxFramingBytes = 65_536;
/** Servers send one or two, such as `103 Early Hints`. */
const maxInterimResponses = 10;

/** Throws for headers that frame the message or are not valid. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const sendable = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value);
    if (!sendable || framingHeaders.has(name.toLowerCase())) {
      throw new OutboundRefusedError('bad_header', 'a header of the request is not allowed');
    }
  }
}

/** Sends a request over a connected socket and reads the response, with at most `maxBytes` of body. */
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
        // Attack: a small response that decompresses to gigabytes. Responses are never decompressed.
        'Accept-Encoding': 'identity',
        ...(request.body === undefined ? {} : { 'Content-Length': Buffer.byteLength(request.body) }),
      },
    });
    outgoing.on('error', reject);
    outgoing.once('socket', () => limitFraming(socket, url.origin, maxBytes));
    let interim = 0;
    outgoing.on('information', () => {
      interim += 1;
      // Attack: interim responses without end. Each takes as long as a response, and a slow network is enough to keep the process busy.
      if (interim === maxInterimResponses)
        socket.destroy(new OutboundError('bad_response', `${url.origin} sent too many interim responses`));
    });
    outgoing.once('upgrade', () =>
      reject(new OutboundError('bad_response', `${url.origin} changed the protocol`)),
    );
    outgoing.once('response', (incoming) => {
      if (request.ignoresBody === true) resolve(responseOf(incoming, []));
      else readResponse(incoming, url.origin, maxBytes).then(resolve, reject);
    });
    outgoing.end(request.body);
  });
}

/** Attack: a body in chunks of one byte, or with extensions of chunks, of which the limit of the body counts a small part. */
function limitFraming(socket: Socket, origin: string, maxBytes: number): void {
  let received = 0;
  socket.on('data', (bytes: Buffer) => {
    received += bytes.length;
    if (received <= maxBytes + maxFramingBytes) return;
    const message = `${origin} returned more than ${maxBytes} bytes with their framing`;
    socket.destroy(new OutboundError('too_large', message));
  });
}

async function readResponse(
  incoming: IncomingMessage,
  origin: string,
  maxBytes: number,
): Promise<OutboundResponse> {
  const encoding = incoming.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new OutboundError('compressed', `${origin} returned a compressed body`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Attack: an endless response.
    if (size > maxBytes)
      throw new OutboundError('too_large', `${origin} returned more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  if (!incoming.complete)
    throw new OutboundError('bad_response', `${origin} closed the connection within the response`);
  return responseOf(incoming, chunks);
}

function responseOf(incoming: IncomingMessage, chunks: readonly Buffer[]): OutboundResponse {
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    headers[name] = (values ?? []).join(', ');
  return { status: incoming.statusCode ?? 0, headers, body: Buffer.concat(chunks) };
}
