import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { typedResourceSchemas } from '../../src/routes/projects/schemas.ts';
import { document } from './conformance.ts';

const client = new URL('../../../../packages/client/src/generated/', import.meta.url);
const commandLine = new URL('../../../cli/src/generated/typed-kinds.ts', import.meta.url);

const headerOf = (subject: string) => `/**
 * ${subject}, generated from the OpenAPI document. Do not edit; generate with
 * UPDATE_CLIENT_TYPES=1 pnpm jest apps/api/test/openapi/client-types
 */
`;

function generate(): string {
  const script = fileURLToPath(new URL('generate-client-types.mjs', import.meta.url));
  // Paths and security schemes are of no use as types; the client sends requests by path.
  const { schemas } = document.components;
  const input = JSON.stringify({ ...document, paths: {}, components: { schemas } });
  return execFileSync(process.execPath, [script], { input, encoding: 'utf8' });
}

/** The types of typed resources by their names alone. */
function generateNames(): string {
  const names = Object.keys(typedResourceSchemas).map(
    (name) => `export type ${name} = Schemas['${name}'];\n`,
  );
  const schemas = "import type { components } from './api.ts';\n\ntype Schemas = components['schemas'];\n\n";
  return `${headerOf('The types of typed resources')}${schemas}${names.join('')}`;
}

type Paths = Readonly<Record<string, { readonly post?: { readonly operationId: string } }>>;

/** The kinds of typed resources with the members of the bodies that create them, which the command line must know when it runs. */
function generateKinds(): string {
  const paths = Object.entries(document.paths as Paths);
  const kinds = paths.flatMap(([path, { post }]) => {
    const [, inProject, plural] = path.match(/^\/api\/v1\/(projects\/\{project\}\/)?([a-z-]+)$/) ?? [];
    const kind = post?.operationId.match(/^create(\w+)$/)?.[1];
    if (plural === undefined || kind === undefined) return [];
    const { properties } = (typedResourceSchemas[`${kind}Write`] ??
      typedResourceSchemas[`${kind}Create`]) as {
      properties: object;
    };
    return [{ kind, plural, inProject: inProject !== undefined, fields: Object.keys(properties) }];
  });
  return `${headerOf('The kinds of typed resources and the fields of the bodies that create them')}export const generatedKinds = ${JSON.stringify(kinds, null, 2)} as const;\n`;
}

function requireGenerated(file: URL, text: string): void {
  if (process.env['UPDATE_CLIENT_TYPES'] !== undefined) writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
}

it('the types of the client are those of the OpenAPI document', () => {
  requireGenerated(new URL('api.ts', client), generate());
  requireGenerated(new URL('typed-resources.ts', client), generateNames());
});

it('the typed kinds of the command line are those of the OpenAPI document', () => {
  requireGenerated(commandLine, generateKinds());
});

it('a program that uses them compiles with TypeScript 5.4 and --strict', () => {
  const directory = mkdtempSync(join(tmpdir(), 'client-types-'));
  try {
    writeFileSync(join(directory, 'api.ts'), readFileSync(new URL('api.ts', client)));
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
