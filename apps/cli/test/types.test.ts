import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliFixture } from './cli-fixture.ts';

const cli = new CliFixture();

/** A schema with most of what the types express. */
const schema = {
  type: 'object',
  description: 'A widget */ export const injected = 1; /*',
  required: ['size', 'mode'],
  additionalProperties: false,
  properties: {
    size: { type: 'integer', description: 'In millimetres.\nNever negative.' },
    mode: { enum: ['fast', 'slow', null] },
    'odd-name': { type: ['string', 'null'] },
    kind: { const: 'box' },
    parts: { type: 'array', items: { $ref: '#/$defs/part' } },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 2 },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    either: {
      oneOf: [
        { type: 'string' },
        { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
      ],
    },
    both: {
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { type: 'object', properties: { b: { type: 'number' } } },
      ],
    },
    anything: {},
  },
  $defs: {
    part: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, parts: { type: 'array', items: { $ref: '#/$defs/part' } } },
    },
  },
};

const program = `
import { createClient } from 'platform-service-client';
import type { Widget, WidgetSpec, WidgetSpecPart, GadgetV1Spec, GadgetV2Spec } from './kinds.js';

const widgets = createClient({ baseUrl: 'http://localhost:8080' }).resources<WidgetSpec>({ group: 'types.example', version: 'v1', plural: 'widgets' });
const part: WidgetSpecPart = { name: 'a', parts: [{ name: 'b' }] };
const spec: WidgetSpec = { size: 1, mode: 'fast', 'odd-name': null, kind: 'box', parts: [part], pair: ['a', 1], labels: { a: 'b' }, either: { url: 'u' }, both: { a: 'a', b: 1 }, anything: 1 };
export async function work(): Promise<Widget> {
  const widget = await widgets.create({ apiVersion: 'types.example/v1', kind: 'Widget', metadata: { name: 'one' }, spec });
  const size: number = widget.spec.size;
  await widgets.update('one', (each) => { each.spec.size = size + 1; });
  return widget;
}
// @ts-expect-error an unknown mode
export const wrongMode: WidgetSpec = { size: 1, mode: 'quick' };
// @ts-expect-error a missing size
export const missing: WidgetSpec = { mode: 'slow' };
// @ts-expect-error an element too many
export const tooMany: WidgetSpec = { size: 1, mode: null, pair: ['a', 1, 2] };
// @ts-expect-error an unknown member
export const unknown: WidgetSpec = { size: 1, mode: null, colour: 'red' };
export const old: GadgetV1Spec = { text: 'a' };
export const current: GadgetV2Spec = { lines: ['a'] };
`;

beforeAll(async () => {
  const definitions = cli.operator.resources({
    group: 'platform.dev',
    version: 'v1alpha1',
    plural: 'resourcedefinitions',
  });
  const register = (kind: string, versions: object[]) => {
    const plural = `${kind.toLowerCase()}s`;
    const [apiVersion, metadata] = ['platform.dev/v1alpha1', { name: `${plural}.types.example` }];
    const spec = { group: 'types.example', kind, plural, versions };
    return definitions.create({ apiVersion, kind: 'ResourceDefinition', metadata, spec });
  };
  const version = (name: string, storage: boolean, own: object) => ({
    name,
    served: true,
    storage,
    schema: own,
  });
  await register('Widget', [version('v1', true, schema)]);
  const field = (name: string, type: object) => ({
    type: 'object',
    required: [name],
    properties: { [name]: type },
  });
  await register('Gadget', [
    version('v1', false, field('text', { type: 'string' })),
    version('v2', true, field('lines', { type: 'array', items: { type: 'string' } })),
  ]);
});

describe('platform types', () => {
  it.each([
    ['5.4', '../node_modules/typescript-5.4/bin/tsc'],
    ['the current one', '../../../node_modules/typescript/bin/tsc'],
  ])(
    'prints types that the client takes, and that are strict: TypeScript %s',
    async (_, compiler) => {
      // Below the package, so that the client is found.
      const root = fileURLToPath(new URL('../', import.meta.url));
      const directory = mkdtempSync(join(root, 'node_modules/.types-'));
      try {
        writeFileSync(join(directory, 'kinds.d.ts'), await cli.ok('types'));
        writeFileSync(join(directory, 'program.ts'), program);
        writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
        const compilerOptions = {
          strict: true,
          noEmit: true,
          target: 'es2022',
          lib: ['es2023'],
          module: 'nodenext',
          types: ['node'],
          customConditions: ['platform-source'],
          allowImportingTsExtensions: true,
          skipLibCheck: false,
        };
        const files = ['program.ts', 'kinds.d.ts'];
        writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
        const { stdout } = spawnSync(process.execPath, [
          fileURLToPath(new URL(compiler, import.meta.url)),
          '-p',
          directory,
        ]);
        expect(String(stdout)).toBe('');
      } finally {
        rmSync(directory, { recursive: true });
      }
    },
    120_000,
  );

  it('prints the kinds that are named, and refuses unknown ones', async () => {
    const types = await cli.ok('types gadgets');
    expect(types).toContain('export type GadgetV2Spec');
    expect(types).not.toContain('Widget');
    expect((await cli.run('types nothing')).code).toBe(5);
  });
});
