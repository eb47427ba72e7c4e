import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { document } from './conformance.ts';

const generated = new URL('../../../../packages/client/src/generated/api.ts', import.meta.url);

function generate(): string {
  const script = fileURLToPath(new URL('generate-client-types.mjs', import.meta.url));
  // Paths and security schemes are of no use as types; the client sends requests by path.
  const { schemas } = document.components;
  const input = JSON.stringify({ ...document, paths: {}, components: { schemas } });
  return execFileSync(process.execPath, [script], { input, encoding: 'utf8' });
}

it('the types of the client are those of the OpenAPI document', () => {
  const types = generate();
  if (process.env['UPDATE_CLIENT_TYPES'] !== undefined) writeFileSync(generated, types);
  expect(readFileSync(generated, 'utf8')).toBe(types);
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
