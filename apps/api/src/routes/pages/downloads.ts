import { existsSync, readFileSync } from 'node:fs';
import { html, Problem, page } from '@platform/kernel';
import { type Answer, json } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { list, object, text, url } from '../../endpoint/schema-fields.ts';
import { htmlType, pageHeaders, wantsHtml } from '../../http/page.ts';
import { cacheable } from '../auth/jwks.ts';

/** A package that the build has packed. */
interface Download {
  readonly file: string;
  readonly name: string;
  readonly version: string;
  /** Bytes. */
  readonly size: number;
  /** The SHA-256 of the file, hexadecimal. */
  readonly sha256: string;
  /** The hash of the file as npm writes it (Subresource Integrity). */
  readonly integrity: string;
}

/** The build writes it next to the sources and the compiled program. */
const directory = new URL('../../../downloads/', import.meta.url);

let index: readonly Download[] | undefined;
const contents = new Map<string, Buffer>();

/** `GET /downloads`: the command line and the client of this version, to install with npm. */
export const downloads = endpoint({
  method: 'GET',
  path: '/downloads',
  id: 'listDownloads',
  tag: 'Operations',
  summary: 'List what can be installed from here',
  access: 'public',
  unlimited: 'a file in memory, which clients may cache',
  responses: {
    200: {
      description: 'The packages with their versions and checksums; a page for browsers.',
      schema: object({
        items: list(
          object({
            file: text,
            name: text,
            version: text,
            size: { type: 'integer' },
            sha256: text,
            integrity: text,
            url,
          }),
        ),
      }),
      example: {
        items: [
          {
            file: 'cli.tgz',
            name: 'platform-service-cli',
            version: '0.24.0',
            size: 395_037,
            sha256: 'fff95612f3cdcdd2bbc2ad67607ed8a5e6721fa1fc4cfcc12ac6e9d315c5d3f1',
            integrity:
              'sha512-WdH8uveevIrNAamCXNOe2rEPl+22r247KryvdZMD9JwtBNqDyN1ScOMwDdHwrWls2hkszRyN0Frc3ANCodESiA==',
            url: 'https://platform.example/downloads/cli.tgz',
          },
        ],
      },
    },
  },
  handle: ({ publicUrl }: { readonly publicUrl: string }, _input, call): Answer => {
    const items = readIndex().map((item) => ({ ...item, url: `${publicUrl}/downloads/${item.file}` }));
    if (!wantsHtml(call)) return json(200, { items });
    return { status: 200, body: downloadsPage(items), contentType: htmlType, headers: pageHeaders() };
  },
});

/** `GET /downloads/{file}`: one package as npm packs it. */
export const download = endpoint({
  method: 'GET',
  path: '/downloads/{file}',
  id: 'getDownload',
  tag: 'Operations',
  summary: 'Download a package',
  description: 'With `.sha256` behind its name: the checksum of the package, in the form of `sha256sum`.',
  access: 'public',
  unlimited: 'a file in memory, which clients may cache',
  responses: {
    200: {
      description: 'The package.',
      schema: { type: 'string', format: 'binary' },
      mediaType: 'application/gzip',
      example: 'the bytes of the package',
      headers: { ETag: 'The checksum of the package.' },
    },
    304: { description: 'Unchanged since the `ETag` of `If-None-Match`.' },
  },
  problems: ['not_found', 'malformed_path'],
  handle: (_deps, _input, call): Answer => {
    const wanted = String(call.params['file']);
    // Only names of the index are looked up: names of clients never reach the file system.
    const item = readIndex().find(({ file }) => wanted === file || wanted === `${file}.sha256`);
    if (item === undefined) throw new Problem('not_found', 'There is no such download.');
    const { file, sha256 } = item;
    const headers = { ...cacheable, ETag: `"${sha256}"` };
    if (wanted !== file)
      return { status: 200, body: `${sha256}  ${file}\n`, contentType: 'text/plain', headers };
    const bytes = contents.get(file) ?? readFileSync(new URL(file, directory));
    contents.set(file, bytes);
    return { status: 200, body: bytes, contentType: 'application/gzip', headers };
  },
});

/** The packages of this build; none when the program runs without one, from its sources. */
function readIndex(): readonly Download[] {
  const file = new URL('index.json', directory);
  index ??= existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).items : [];
  return index ?? [];
}

function downloadsPage(items: readonly (Download & { readonly url: string })[]): string {
  const list = items.map(
    ({ file, name, version, sha256, url }) => html`<h2>${name} ${version}</h2>
<pre>npm install ${file === 'cli.tgz' ? '--global ' : ''}${url}</pre>
<p><a href="/downloads/${file}">${file}</a><br><small>SHA-256 ${sha256}</small></p>`,
  );
  return page(
    'Downloads',
    html`${list.length === 0 ? html`<p>This service was started without a build.</p>` : list}`,
  );
}
