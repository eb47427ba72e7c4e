import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { WholeApi } from './whole-api.ts';

/** A reader follows a request through so many files at most. Lower both when the way gets shorter. */
const mostSteps = 20;
/** Files that answer a question of a step and return. */
const mostHelpers = 24;

const api = new WholeApi(() => ({ log: { level: 'info' } }));

const inspector = new Session();
beforeAll(async () => {
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});
afterAll(() => inspector.disconnect());

const root = '/api/v1/resources';
const platform = 'platform.dev/v1alpha1';
/** Known from the second request on: the way of a new session is longer. */
let session: string;
beforeAll(async () => {
  session = api.session('operator');
  const versions = [{ name: 'v1', served: true, storage: true }];
  const parent = { apiVersion: platform, kind: 'Organization' };
  await create(`${platform}/resourcedefinitions`, {
    apiVersion: platform,
    kind: 'ResourceDefinition',
    metadata: { name: 'fields.farm.example' },
    spec: { group: 'farm.example', kind: 'Field', plural: 'fields', versions, parent },
  });
  await create(`${platform}/organizations`, {
    apiVersion: platform,
    kind: 'Organization',
    metadata: { name: 'dale' },
    spec: {},
  });
  await create('farm.example/v1/fields/dale', {
    apiVersion: 'farm.example/v1',
    kind: 'Field',
    metadata: { name: 'south' },
    spec: {},
  });
});

async function create(path: string, body: object): Promise<void> {
  await api.as('operator', 'post', `${root}/${path}`).send(body).expect(201);
}

async function read(): Promise<void> {
  const headers = { Authorization: `Bearer ${session}` };
  const response = await fetch(`${api.publicUrl}${root}/farm.example/v1/fields/dale/south`, { headers });
  await response.text();
  expect(response.status).toBe(200);
}

/** The source files with a function that ran at least so often since the last call, from the root of the project on. */
async function filesThatRan(times: number): Promise<readonly string[]> {
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const ran = result.filter(({ functions }) =>
    functions.some(({ ranges }) => ranges.some(({ count }) => count >= times)),
  );
  return ran.flatMap(({ url }) => url.match(/(?:apps|packages)\/[^/]+\/src\/.*/)?.[0] ?? []).toSorted();
}

/** The files that docs/architecture.md lists, in the order in which a request passes them. */
function documentedSteps(): readonly string[] {
  const text = readFileSync(new URL('../../../../docs/architecture.md', import.meta.url), 'utf8');
  const [, table = ''] = text.split('A `GET` of one item passes these files');
  const [rows = ''] = table.split('\nStored documents');
  return [...rows.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file]) => file as string);
}

it('a GET of one item passes the files that the architecture lists, and few helpers', async () => {
  // The first requests fill caches and open connections.
  for (let count = 0; count < 10; count += 1) await read();
  await filesThatRan(1);
  // Background work runs a few times a second, so less often than these reads.
  const reads = 300;
  for (let count = 0; count < reads; count += 1) await read();
  const files = await filesThatRan(reads);
  const steps = documentedSteps();
  expect(steps.filter((file) => !files.includes(file))).toEqual([]);
  expect(steps.length).toBeLessThanOrEqual(mostSteps);
  const helpers = files.filter((file) => !steps.includes(file));
  if (helpers.length > mostHelpers) throw new Error(`${helpers.length} helpers:\n${helpers.join('\n')}`);
});
