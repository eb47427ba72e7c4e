import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, type ProblemCode } from '@platform/kernel';
import { problemType } from '../http/send.ts';
import { renderProblem } from '../http/send-problem.ts';

const codes: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const details: Readonly<Record<string, string>> = {
  headers_too_large: 'The request line and headers are too long.',
  request_timeout: 'The request took too long to arrive.',
  malformed_request: 'The request is not valid HTTP.',
};

/** Answers requests that could not be parsed on the bare socket: bytes that are not HTTP, too long headers, too slow clients. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, stream: NodeJS.WritableStream): void {
  const socket = stream as Socket & { _httpMessage?: ServerResponse };
  // A second status line inside a response that has begun would be taken for its body.
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent === true) {
    socket.destroy(error);
    return;
  }
  const code = codes[error.code ?? ''] ?? 'malformed_request';
  const problem = new Problem(code, details[code] as string);
  const id = randomUUID();
  const text = renderProblem(problem, { id, path: '' });
  socket.end(
    `HTTP/1.1 ${problem.status} \r\nConnection: close\r\nX-Request-Id: ${id}\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Type: ${problemType}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
