import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Problem } from '@platform/kernel';
import type { Request, Response } from 'express';
import { isCurrent } from '../../http/conditional.ts';
import { cacheable } from '../auth/jwks.ts';
import type { Route } from '../route.ts';
import { docsPage, docsScript, docsStyle, pageHeaders } from './docs-page.ts';

/** A file of the page. */
interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

const style = 'text/css; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

/** Every file that the page may load, and nothing else: names of clients never reach the file system. */
const sources: Readonly<Record<string, { readonly type: string; readonly read: () => Buffer }>> = {
  'swagger-ui.css': { type: style, read: () => viewerFile('swagger-ui.css') },
  'swagger-ui-bundle.js': { type: script, read: () => viewerFile('swagger-ui-bundle.js') },
  'favicon.png': { type: 'image/png', read: () => viewerFile('favicon-32x32.png') },
  'docs.css': { type: style, read: () => Buffer.from(docsStyle) },
  'docs.js': { type: script, read: () => Buffer.from(docsScript) },
};

/** `GET /docs` and the files of it: the OpenAPI document as a page that needs nothing from anywhere else. */
export function docsRoutes(): readonly Route[] {
  const assets = new Map<string, Asset>();
  const page = Buffer.from(docsPage);
  return [
    {
      method: 'GET',
      path: '/docs',
      access: 'public',
      handle: (_request, response) => send(response, 200, page, { ...cacheable, ...pageHeaders }),
    },
    {
      method: 'GET',
      path: '/docs/:asset',
      access: 'public',
      handle: (request, response) => sendAsset(request, response, assetOf(assets, request)),
    },
  ];
}

function assetOf(assets: Map<string, Asset>, request: Request): Asset {
  const name = String(request.params['asset']);
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (source === undefined) throw new Problem('not_found', 'The documentation has no such file.');
  const known = assets.get(name);
  if (known !== undefined) return known;
  const bytes = source.read();
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const asset = { bytes, type: source.type, etag };
  assets.set(name, asset);
  return asset;
}

function sendAsset(request: Request, response: Response, { bytes, type, etag }: Asset): void {
  const headers = { ...cacheable, ETag: etag, 'Content-Type': type };
  if (isCurrent(request, etag)) send(response, 304, null, headers);
  else send(response, 200, bytes, headers);
}

function send(
  response: Response,
  status: number,
  bytes: Buffer | null,
  headers: Readonly<Record<string, string>>,
): void {
  const length = bytes === null ? {} : { 'Content-Length': bytes.length };
  response.writeHead(status, { ...headers, ...length }).end(bytes);
}

function viewerFile(name: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
}
