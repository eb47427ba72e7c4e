import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Problem } from '@platform/kernel';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import { BodyMemory } from './body-memory.ts';
import { requireMediaType } from './media-type.ts';
import { yamlToJson, yamlType } from './yaml.ts';

/** The bytes of bodies that this process reads at the same time: each body is in memory about four times. */
const memory = new BodyMemory(64 * 1024 * 1024);

/** The client went away before its request or answer was complete, so no answer is sent. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/**
 * Reads a JSON body as text, without parsing it: documents are kept as they were sent. A YAML body is turned into JSON.
 * Called after the caller is authorized, so that strangers cannot make the service buffer anything.
 *
 * Throws `unsupported_media_type`, `payload_too_large` above `limit` bytes, `malformed_body` for bytes that are
 * not UTF-8, `unavailable` while the bodies of other requests fill the memory, and {@link ClientGone}.
 */
export async function readJsonText(request: Request, limit: number): Promise<string> {
  if (isBodiless(request)) return readText(request, limit);
  const mediaType = requireMediaType(request, ['application/json', yamlType]);
  const text = await readText(request, limit);
  return mediaType === yamlType ? yamlToJson(text) : text;
}

/** Reads a body of one of several media types as text, without parsing it; see {@link readJsonText}. */
export async function readTyped<const T extends string>(
  request: Request,
  mediaTypes: readonly T[],
  limit: number,
): Promise<{ readonly mediaType: T; readonly text: string }> {
  const mediaType = requireMediaType(request, mediaTypes);
  return { mediaType, text: await readText(request, limit) };
}

/** Reads a body of any media type as text; see {@link readJsonText}. */
export async function readText(request: Request, limit: number): Promise<string> {
  const bytes = await readBytes(request, limit);
  // RFC 8259, section 8.1. Decoding leniently would store something else than what was sent.
  if (!isUtf8(bytes)) throw new Problem('malformed_body', 'The body is not valid UTF-8.');
  return bytes.toString('utf8');
}

/** Reads a body of any media type as bytes, which a request has once. See {@link readJsonText}. */
export async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) > limit) throw tooLarge(limit);
  // A chunked body declares no length, and may have as many bytes as the limit.
  const unknown = request.headers['transfer-encoding'] === undefined ? 0 : limit;
  memory.reserve(request.res, declared === undefined ? unknown : Number(declared));
  // The client of `Expect: 100-continue` waits for this before it sends anything.
  if (request.headers.expect !== undefined) request.res?.writeContinue();
  return await receive(request, limit);
}

// Without a body there is no type to check; the empty text is then refused as invalid JSON.
function isBodiless({ headers }: IncomingMessage): boolean {
  const empty = headers['content-length'] === undefined || headers['content-length'] === '0';
  return empty && headers['transfer-encoding'] === undefined && headers['content-type'] === undefined;
}

function tooLarge(limit: number): Problem {
  return new Problem('payload_too_large', `The body has more than ${limit} bytes.`);
}

/** A chunked body declares no length: reading stops at the limit, whatever is still to come. */
async function receive(request: IncomingMessage, limit: number): Promise<Buffer> {
  // raw-body would wait for events that a closed request has emitted already.
  if (request.destroyed && !request.readableEnded) throw new ClientGone();
  try {
    return await getRawBody(request, { limit });
  } catch (error) {
    if ((error as getRawBody.RawBodyError).type === 'entity.too.large') throw tooLarge(limit);
    throw new ClientGone();
  }
}
