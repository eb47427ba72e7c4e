import { dnsLabelPattern, etagOf, type Precondition, readIfMatch } from '@platform/kernel';
import type { Rendered } from '@platform/projects';
import { parseDocument } from '@platform/resources';
import type { Principal } from '@platform/tokens';
import type { Request, Response } from 'express';
import { answerJson } from '../../http/answer.ts';
import { isCurrent } from '../../http/conditional.ts';
import { readJsonText } from '../../http/read-body.ts';

/** No typed resource can have this name, so a look-up of it finds nothing. */
const noName = '-';

/** A name as a client wrote it. What can be no name (it may even be no text for the database) is as good as unknown. */
export function readName(text: unknown): string {
  return typeof text === 'string' && text.length <= 63 && dnsLabelPattern.test(text) ? text : noName;
}

/** The name in the path. */
export function nameIn(request: Request, parameter: string): string {
  return readName(request.params[parameter]);
}

/** Who asks; the gate has let them in. */
export function principalOf(request: Request): Principal {
  const { principal } = request.exchange;
  if (principal === null) throw new Error('the route is not behind the gate');
  return principal;
}

/** Reads and parses the body when it is asked for. */
export function bodyOf(request: Request, limit: number): () => Promise<unknown> {
  return async () => parseDocument(await readJsonText(request, limit)).value;
}

/** The same for a body that may be left out: then it is an empty object. */
export function optionalBodyOf(request: Request, limit: number): () => Promise<unknown> {
  return async () => {
    const text = await readJsonText(request, limit);
    return text === '' ? {} : parseDocument(text).value;
  };
}

/** The query of the request. */
export function queryOf(request: Request): URLSearchParams {
  return new URLSearchParams(request.exchange.query);
}

/** The versions that the request is for; null when it names none. */
export function ifMatchOf(request: Request): Precondition | null {
  return readIfMatch(request.headers['if-match']);
}

/** Answers one typed resource with its `ETag`, or 304 when the client has it. */
export function answerItem(
  request: Request,
  response: Response,
  status: number,
  item: Rendered,
  headers: Readonly<Record<string, string>> = {},
): void {
  const ETag = etagOf(item);
  if (isCurrent(request, ETag)) response.writeHead(304, { ETag }).end();
  else answerJson(response, status, item, { ...headers, ETag });
}
