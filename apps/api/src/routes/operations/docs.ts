import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Problem } from '@platform/kernel';
import type { Answer } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { cacheable } from '../auth/jwks.ts';
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

const assets = new Map<string, Asset>();

/** `GET /docs`: the OpenAPI document as a page that loads nothing from elsewhere. */
export const docs = endpoint({
  method: 'GET',
  path: '/docs',
  id: 'getDocs',
  tag: 'Operations',
  summary: 'Read this document as a page',
  access: 'public',
  unlimited: 'a constant text or file in memory, which clients may cache',
  responses: { 200: { description: 'A page.', schema: { type: 'string' }, mediaType: 'text/html' } },
  handle: () => ({
    status: 200,
    body: docsPage,
    headers: { ...cacheable, ...pageHeaders },
    contentType: 'text/html; charset=utf-8',
  }),
});

/** `GET /docs/{asset}`: the files of that page. */
export const docsAsset = endpoint({
  method: 'GET',
  path: '/docs/{asset}',
  id: 'getDocsAsset',
  tag: 'Operations',
  summary: 'Read a file of that page',
  access: 'public',
  unlimited: 'a constant text or file in memory, which clients may cache',
  responses: {
    200: { description: 'A style sheet, a script or a picture.' },
    304: { description: 'Unchanged since the `ETag` of `If-None-Match`.' },
  },
  problems: ['not_found', 'malformed_path'],
  handle: (_deps, _input, call): Answer => {
    const { bytes, type, etag } = assetOf(String(call.params['asset']));
    return { status: 200, body: bytes, contentType: type, headers: { ...cacheable, ETag: etag } };
  },
});

function assetOf(name: string): Asset {
  const known = assets.get(name);
  if (known !== undefined) return known;
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (source === undefined) throw new Problem('not_found', 'The documentation has no such file.');
  const bytes = source.read();
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const asset = { bytes, type: source.type, etag };
  assets.set(name, asset);
  return asset;
}

function viewerFile(name: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
}
