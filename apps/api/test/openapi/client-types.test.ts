import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { typedResourceSchemas } from '../../src/routes/projects/schemas.ts';
import { document } from './conformance.ts';

const generated = new URL('../../../../packages/client/src/generated/api.ts', import.meta.url);
const commandLine = new URL('../../../cli/src/generated/typed-bodies.ts', import.meta.url);

function generate(): string {
  const script = fileURLToPath(new URL('generate-client-types.mjs', import.meta.url));
  // Paths and security schemes are of no use as types; the client sends requests by path.
  const { schemas } = document.components;
  const input = JSON.stringify({ ...document, paths: {}, components: { schemas } });
  return execFileSync(process.execPath, [script], { input, encoding: 'utf8' });
}

/** The members of the bodies that create typed resources, which the command line must know when it runs. */
function generateBodies(): string {
  const bodies = Object.entries(typedResourceSchemas).filter(([name]) => /(Create|Write)$/.test(name));
  const fields = bodies.map(([name, { properties }]) => [name, Object.keys(properties as object)]);
  return `/**
 * The fields of the bodies that create typed resources, generated from the OpenAPI document. Do not edit; generate with
 * UPDATE_CLIENT_TYPES=1 pnpm jest apps/api/test/openapi/client-types
 */
export const typedBodies = ${JSON.stringify(Object.fromEntries(fields), null, 2)} as const;
`;
}

function requireGenerated(file: URL, text: string): void {
  if (process.env['UPDATE_CLIENT_TYPES'] !== undefined) writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
}

it('the types of the client are those of the OpenAPI document', () => {
  requireGenerated(generated, generate());
});

it('the fields that the command line sends are those of the OpenAPI document', () => {
  requireGenerated(commandLine, generateBodies());
});

it('a program that uses them compiles with TypeScript 5.4 and --strict', () => {
  const directory = mkdtempSync(join(tmpdir(), 'client-types-'));
  try {
    writeFileSync(join(directory, 'api.ts'), readFileSync(generated));
    writeFileSync(
      join(directory, 'program.ts'),
      `import type { components } from './api';
export const owner = (project: components['schemas']['Project']): string =>
  'team' in project.owner ? project.owner.team : project.owner.user;
`,
    );
    const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
    const options = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', 'program.ts'];
    execFileSync(process.execPath, [tsc, ...options], { cwd: directory, encoding: 'utf8' });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
