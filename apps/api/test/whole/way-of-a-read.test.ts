import { Session } from 'node:inspector/promises';
import { api, root, v1 } from './hidden-farm.ts';

/** A reader follows a request through so many files at most. Lower it when the way gets shorter. */
const mostFiles = 52;

const inspector = new Session();
beforeAll(async () => {
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});
afterAll(() => inspector.disconnect());

/** Known from the second request on: the way of a new session is longer. */
let session: string;
beforeAll(() => {
  session = api.session('operator');
});

async function read(): Promise<void> {
  const headers = { Authorization: `Bearer ${session}` };
  const response = await fetch(`${api.publicUrl}${root}/${v1}/fields/dale/south`, { headers });
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

it('a GET of one item passes few source files', async () => {
  // The first requests fill caches and open connections.
  for (let count = 0; count < 10; count += 1) await read();
  await filesThatRan(1);
  // Background work runs a few times a second, so less often than these reads.
  const reads = 300;
  for (let count = 0; count < reads; count += 1) await read();
  const files = await filesThatRan(reads);
  expect(files).toContain('packages/store-postgres/src/operations/resources/get-many.ts');
  if (files.length > mostFiles) throw new Error(`${files.length} files:\n${files.join('\n')}`);
});
