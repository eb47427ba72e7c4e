import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build } from 'esbuild';
import { replaceFiles } from './replace-files.mjs';

/**
 * Bundles the compiled platform for tests of controllers with its libraries into `packages/client/bundle`, which the client exports as
 * `platform-service-client/testing`. The client itself is left out, so that a test has it once.
 */
export async function bundleTestKit(root) {
  const directory = `${root}packages/client/bundle`;
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: {
      index: 'apps/test-platform/dist/index.js',
      // The process that validates expensive schemas is started from a file of its own.
      serve: 'packages/schema-validation/dist/isolation/serve.js',
    },
    outdir: directory,
    bundle: true,
    write: false,
    minifySyntax: true,
    minifyWhitespace: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    legalComments: 'linked',
    external: ['platform-service-client'],
    // Libraries that are CommonJS ask for their parts, and for their directory, at run time.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url); globalThis.__dirname ??= import.meta.dirname;",
    },
    logLevel: 'warning',
  });
  const files = outputFiles.map(({ path, contents }) => ({
    name: basename(path),
    bytes: Buffer.from(contents),
  }));
  const types = readFileSync(`${root}apps/test-platform/dist/index.d.ts`);
  replaceFiles(directory, [...files, { name: 'index.d.ts', bytes: types }]);
}
