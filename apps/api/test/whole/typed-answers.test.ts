import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const directory = mkdtempSync(join(tmpdir(), 'typed-answers-'));
afterAll(() => rmSync(directory, { recursive: true }));

const id = 'sites.web.example.dev';
const definition = {
  apiVersion: 'platform.dev/v1alpha1',
  kind: 'ResourceDefinition',
  metadata: { name: 'landsites.web-a.example.dev' },
  spec: {
    group: 'web-a.example.dev',
    kind: 'LandSite',
    plural: 'landsites',
    allowedStatusControllerIds: [id],
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          type: 'object',
          required: ['domain'],
          properties: { domain: { type: 'string' }, tier: { enum: ['free', 'paid'] } },
        },
      },
    ],
  },
};

/** The errors of TypeScript in a program that uses the types of the document. */
function faultsOf(program: string): string {
  writeFileSync(join(directory, 'program.ts'), `import type { operations } from './api';\n${program}`);
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const flags = ['--strict', '--noEmit', '--skipLibCheck', 'program.ts'];
  return String(spawnSync(process.execPath, [tsc, ...flags], { cwd: directory }).stdout);
}

describe('types that are generated from ?kinds=all', () => {
  beforeAll(async () => {
    await api
      .as('operator', 'post', '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions')
      .send(definition)
      .expect(201);
    const { body } = await api.as('operator', 'get', '/openapi.json?kinds=all').expect(200);
    const script = fileURLToPath(new URL('../openapi/generate-client-types.mjs', import.meta.url));
    const input = JSON.stringify(body);
    const types = execFileSync(process.execPath, [script], { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
    writeFileSync(join(directory, 'api.ts'), types);
  }, 60_000);

  const answer = `type Answer = operations['get_web__a_example_dev_v1_landsites']['responses'][200]['content']['application/json'];
declare const site: Answer;`;

  it('know spec and status of an answer, under an operation id of letters, digits and underscores', () => {
    const program = `${answer}
export const domain: string = site.spec!.domain;
export const tier: 'free' | 'paid' | undefined = site.spec?.tier;
export const seen: number | undefined = site.status?.controllers?.['${id}']?.observedGeneration;`;
    expect(faultsOf(program)).toBe('');
  }, 60_000);

  it('refuse a member that the schema does not have', () => {
    expect(faultsOf(`${answer}\nexport const wrong: number = site.spec!.domain;`)).toContain('TS2322');
  }, 60_000);
});
