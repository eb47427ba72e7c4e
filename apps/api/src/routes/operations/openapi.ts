import { createHash } from 'node:crypto';
import { Problem } from '@platform/kernel';
import type { ResourcePorts } from '@platform/resources';
import type { Request, Response } from 'express';
import { answer } from '../../http/answer.ts';
import { isCurrent } from '../../http/conditional.ts';
import type { Gate } from '../../http/gate.ts';
import { type OpenApiSettings, openApiDocument } from '../../openapi/document.ts';
import { registeredKinds } from '../../openapi/registered-kinds.ts';
import { cacheable } from '../auth/jwks.ts';
import { queryOf } from '../projects/request.ts';
import type { Route } from '../route.ts';

/** What the document of the API is made of. */
export interface OpenApiParts extends OpenApiSettings {
  readonly ports: Pick<ResourcePorts, 'reader'>;
  readonly gate: Gate;
}

interface Text {
  readonly text: string;
  readonly etag: string;
}

/**
 * `GET /openapi.json`: the document of the API, the same for everybody; with `?kinds=all`, for operators, that of the registered
 * kinds too. The public one is made when it is first asked for.
 */
export function openApiRoute(parts: OpenApiParts): Route {
  let made: Text | undefined;
  return {
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    async handle(request, response) {
      if (readKinds(request) === 'all') {
        await requireOperator(parts.gate, request);
        const document = openApiDocument(parts, await registeredKinds(parts.ports));
        send(request, response, textOf(document), { 'Cache-Control': 'private, no-cache' });
      } else {
        made ??= textOf(openApiDocument(parts));
        send(request, response, made, cacheable);
      }
    },
  };
}

function readKinds(request: Request): 'all' | 'builtIn' {
  const [kinds, ...more] = queryOf(request).getAll('kinds');
  if (kinds === undefined) return 'builtIn';
  if (kinds !== 'all' || more.length > 0) throw new Problem('invalid_query', 'kinds must be all.');
  return 'all';
}

// The gate lets controllers in as well; definitions are for operators alone, as in the generic API.
async function requireOperator(gate: Gate, request: Request): Promise<void> {
  const principal = await gate('platform', request);
  if (principal?.type !== 'operator') {
    throw new Problem('forbidden', 'The caller has no access to this API.');
  }
}

function textOf(document: object): Text {
  const text = JSON.stringify(document);
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

function send(
  request: Request,
  response: Response,
  { text, etag }: Text,
  headers: Readonly<Record<string, string>>,
): void {
  if (isCurrent(request, etag)) response.writeHead(304, { ...headers, ETag: etag }).end();
  else answer(response, 200, text, { ...headers, ETag: etag });
}
