import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const biome = join(
  dirname(createRequire(import.meta.url).resolve('@biomejs/biome/package.json')),
  'bin/biome',
);

/** What lint says about a file with that content, if it stood at that path of this repository. */
function lint(path: string, content: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'import-rules-'));
  try {
    for (const entry of ['.biome.json', '.biome', '.gitignore'])
      cpSync(join(root, entry), join(copy, entry), { recursive: true });
    mkdirSync(join(copy, dirname(path)), { recursive: true });
    writeFileSync(join(copy, path), `${content}\n`);
    const run = spawnSync(process.execPath, [biome, 'lint', '--colors=off', path], { cwd: copy });
    return run.stdout.toString() + run.stderr.toString();
  } finally {
    rmSync(copy, { recursive: true });
  }
}

describe('the import rules that lint enforces', () => {
  it.each([
    ['packages/kernel/src/x.ts', "import 'node:fs';", 'The kernel imports nothing'],
    ['packages/resources/src/x.ts', "import 'express';", 'An area imports its own files'],
    ['packages/resources/src/x.ts', "import '@platform/tokens';", 'An area imports its own files'],
    [
      'packages/collection/src/x.ts',
      "import '@platform/resources/src/index.ts';",
      'An area imports its own files',
    ],
    ['packages/oauth-proxy/src/x.ts', "import 'drizzle-orm/pg-core';", 'An area imports its own files'],
    [
      'packages/collection/src/x.ts',
      'export const now = Date.now();',
      'The domain takes time from the Clock port',
    ],
    [
      'packages/projects/src/x.ts',
      'export const n = Math.random();',
      'The domain takes randomness from a port',
    ],
    [
      'packages/tokens/src/x.ts',
      'export const e = process.env;',
      'Only packages/config reads the environment',
    ],
    ['packages/resources/src/rules/x.ts', 'export async function f() {}', 'nothing to wait for'],
    ['packages/resources/src/model/x.ts', 'export const f = async () => 1;', 'nothing to wait for'],
    ['packages/store-postgres/src/x.ts', "import '@platform/logger-winston';", 'never another adapter'],
    ['packages/schema-ajv/src/x.ts', "import '@platform/store-memory';", 'never another adapter'],
    [
      'packages/tracing-opentelemetry/src/x.ts',
      "import '@platform/logger-winston';",
      'never another adapter',
    ],
    ['apps/api/src/http/x.ts', "import '@platform/tracing-opentelemetry';", 'Only wire.ts imports adapters'],
    ['apps/api/src/routes/x.ts', "import '@platform/store-postgres';", 'Only wire.ts imports adapters'],
    ['apps/api/src/routes/x.ts', "import 'postgres';", 'Only wire.ts imports adapters'],
    ['packages/cli/src/commands/x.ts', "import '@platform/store-postgres';", 'Only wire.ts imports adapters'],
  ])('refuse in %s: %s', (path, content, message) => {
    expect(lint(path, content)).toContain(message);
  });

  it.each([
    ['apps/api/src/wire.ts', "import '@platform/store-postgres';"],
    ['packages/cli/src/wire.ts', "import '@platform/store-postgres';"],
    ['packages/collection/src/x.ts', "import '@platform/resources';"],
    ['packages/resources/src/x.test.ts', 'export const now = Date.now();'],
  ])('allow in %s: %s', (path, content) => {
    expect(lint(path, content)).toContain('Checked 1 file');
    expect(lint(path, content)).not.toContain('error');
  });
});
