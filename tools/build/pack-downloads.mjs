import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { replaceFiles } from './replace-files.mjs';

/** The packages that people install, each with the files of its own that it takes along. */
const downloads = [
  { file: 'cli.tgz', folder: 'apps/cli', takes: ['bundle', 'platform.mjs'] },
  { file: 'client.tgz', folder: 'packages/client', takes: ['dist', 'bundle'] },
];

/**
 * Packs the command line and the client as npm packages without dependencies into `apps/api/downloads`, with their versions and
 * checksums. The same sources give the same bytes.
 */
export async function packDownloads(root) {
  const target = join(root, 'apps/api/downloads');
  const items = [];
  const files = [];
  for (const { file, folder, takes } of downloads) {
    const staging = mkdtempSync(join(tmpdir(), 'platform-pack-'));
    try {
      const manifest = stage(root, folder, takes, join(staging, 'package'));
      await create(
        { gzip: { level: 9 }, portable: true, mtime: new Date(0), cwd: staging, file: join(staging, file) },
        ['package'],
      );
      const bytes = readFileSync(join(staging, file));
      files.push({ name: file, bytes });
      items.push({
        file,
        name: manifest.name,
        version: manifest.version,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
      });
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  }
  const index = Buffer.from(`${JSON.stringify({ items }, null, 2)}\n`);
  replaceFiles(target, [...files, { name: 'index.json', bytes: index }]);
}

/** Lays out one package as npm expects it, and returns its manifest. */
function stage(root, folder, takes, into) {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const { name, version, type, bin, exports } = manifest;
  const published = {
    name,
    version,
    type,
    license: 'Apache-2.0',
    engines: { node: '>=20.19' },
    ...(bin === undefined ? {} : { bin }),
    ...(bin !== undefined || exports === undefined ? {} : { exports: withoutSources(exports) }),
  };
  mkdirSync(into, { recursive: true });
  for (const one of takes)
    cpSync(join(root, folder, one), join(into, one), { recursive: true, filter: isShipped });
  cpSync(join(root, 'LICENSE'), join(into, 'LICENSE'));
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  return published;
}

function isShipped(path) {
  return !path.endsWith('.tsbuildinfo') && !path.endsWith('.map');
}

/** The exports without the condition for the sources, which are not shipped. */
function withoutSources(exports) {
  return Object.fromEntries(
    Object.entries(exports).map(([path, { 'platform-source': _source, ...conditions }]) => [
      path,
      conditions,
    ]),
  );
}
