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

type Files = Readonly<Record<string, string>>;

/** Runs a program in a copy of this repository that consists of its lint settings and the given files. */
function runIn(files: Files, program: string, ...options: string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'import-rules-'));
  try {
    for (const entry of ['.biome.json', '.biome', '.gitignore'])
      cpSync(join(root, entry), join(copy, entry), { recursive: true });
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(copy, dirname(path)), { recursive: true });
      writeFileSync(join(copy, path), `${content}\n`);
    }
    const run = spawnSync(process.execPath, [program, ...options], { cwd: copy });
    return run.stdout.toString() + run.stderr.toString();
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const checkImports = (files: Files) => runIn(files, join(root, 'tools/import-rules/check.mjs'), '.');
const lint = (path: string, content: string) =>
  runIn({ [path]: content }, biome, 'lint', '--colors=off', path);

describe('the import rules', () => {
  it('hold for this repository', () => {
    const run = spawnSync(process.execPath, [join(root, 'tools/import-rules/check.mjs')]);
    expect(run.stderr.toString()).toBe('');
    expect(run.status).toBe(0);
  });

  it.each([
    ['packages/kernel/src/x.ts', "import 'node:fs';"],
    ['packages/resources/src/x.ts', "import express, { type Express } from 'express';"],
    ['packages/resources/src/x.ts', "import { x } from '@platform/tokens';"],
    ['packages/resources/src/x.ts', "import {\n  type A,\n  type B,\n} from 'node:fs';"],
    ['packages/resources/src/x.ts', "export type A = import('express').Express;"],
    ['packages/resources/src/x.ts', "export * from '@platform/tokens';"],
    ['packages/resources/src/x.ts', "import { x } from '../../tokens/src/index.ts';"],
    ['packages/tokens/src/x.ts', "import { x } from '@platform/kernel/src/index.ts';"],
    ['packages/oauth-proxy/src/x.ts', "import { x } from 'drizzle-orm/pg-core';"],
    ['packages/store-postgres/src/x.ts', "import { x } from '@platform/store-memory';"],
    ['packages/store-postgres/src/x.ts', "import express from 'express';"],
    ['packages/schema-validation/src/x.ts', "const x = await import('@platform/store-memory');"],
    ['apps/api/src/routes/x.ts', "import { x } from '@platform/store-postgres';"],
    ['apps/api/src/routes/x.ts', "import postgres from 'postgres';"],
    ['apps/cli/src/commands/x.ts', "import { x } from '@platform/store-postgres';"],
    ['apps/collector/src/x.ts', "import { x } from '@platform/development';"],
    ['apps/api/src/wire.ts', "import { x } from '@platform/development/testing';"],
    ['apps/launcher/src/x.ts', "import { x } from '@platform/development/testing';"],
  ])('refuse in %s: %s', (path, content) => {
    expect(checkImports({ [path]: content })).toContain(`${path}: may not import`);
  });

  it.each([
    ['apps/api/src/wire.ts', "import { x } from '@platform/store-postgres';"],
    ['apps/api/src/wire/x.ts', "import { x } from '@platform/store-postgres';"],
    ['apps/cli/src/wire.ts', "import { x } from '@platform/store-postgres';"],
    ['packages/login/src/x.ts', "import { x } from '@platform/tokens';"],
    ['packages/resources/src/x.test.ts', "import express from 'express';"],
  ])('allow in %s: %s', (path, content) => {
    expect(checkImports({ [path]: content })).toContain('Imports follow');
  });

  it.each(['query: URLSearchParams', "requireMethod('PUT')", 'await readBody()'])(
    'refuse HTTP in an area: %s',
    (content) => {
      const path = 'packages/resources/src/x.ts';
      expect(checkImports({ [path]: content })).toContain(`${path}: may not name`);
      expect(checkImports({ 'apps/api/src/x.ts': content })).toContain('Imports follow');
    },
  );

  it.each([
    ['rules/x.ts', '../ports/y.ts', 'rules may not import ports'],
    ['rules/x.ts', '../usecases/y.ts', 'rules may not import usecases'],
    ['model/x.ts', '../rules/y.ts', 'model may not import rules'],
    ['ports/x.ts', '../usecases/y.ts', 'ports may not import usecases'],
  ])('refuse in %s of an area: %s', (path, specifier, message) => {
    const files = {
      [`packages/tokens/src/${path}`]: `import type { Y } from '${specifier}';`,
      'packages/tokens/src/usecases/z.ts': '',
    };
    expect(checkImports(files)).toContain(message);
  });

  it('refuse circles, of types too', () => {
    const files = {
      'packages/tokens/src/a.ts': "import type { B } from './b.ts';",
      'packages/tokens/src/b.ts': "export { c } from './c.ts';",
      'packages/tokens/src/c.ts': "import './a.ts';",
    };
    expect(checkImports(files)).toContain(
      'circular import: packages/tokens/src/a.ts -> packages/tokens/src/b.ts -> packages/tokens/src/c.ts -> packages/tokens/src/a.ts',
    );
  });

  it('refuse a package without a row', () => {
    expect(checkImports({ 'packages/novelty/src/x.ts': '' })).toContain('the package novelty has no row');
  });
});

describe('the purity rules', () => {
  it.each([
    ['packages/resources/src/x.ts', 'export const now = Date.now();', 'time from the Clock port'],
    ['packages/projects/src/x.ts', 'export const n = Math.random();', 'randomness from a port'],
    ['packages/tokens/src/x.ts', 'export const e = process.env;', 'Only packages/config reads'],
    ['packages/resources/src/rules/x.ts', 'export async function f() {}', 'nothing to wait for'],
    ['packages/resources/src/model/x.ts', 'export const f = async () => 1;', 'nothing to wait for'],
  ])('refuse in %s: %s', (path, content, message) => {
    expect(lint(path, content)).toContain(message);
  });

  it('allow the clock in tests', () => {
    const said = lint('packages/resources/src/x.test.ts', 'export const now = Date.now();');
    expect(said).toContain('Checked 1 file');
    expect(said).not.toContain('error');
  });
});
