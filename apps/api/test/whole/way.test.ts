import { Session } from 'node:inspector/promises';
import { api, root, v1 } from './hidden-farm.ts';

const inspector = new Session();
beforeAll(async () => {
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});
afterAll(() => inspector.disconnect());

it('counts', async () => {
  const token = api.session('operator');
  const get = () => fetch(`${api.publicUrl}${root}/${v1}/fields/dale/south`, { headers: { authorization: `Bearer ${token}` } }).then(async (r) => { expect(r.status).toBe(200); await r.text(); });
  for (let i = 0; i < 10; i++) await get();
  await new Promise((r) => setTimeout(r, 1200));
  await inspector.post('Profiler.takePreciseCoverage');
  await get();
  await new Promise((r) => setTimeout(r, 30));
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const files = result.filter(({ url }) => /\/(packages|apps)\/[^/]+\/src\//.test(url)).map(({ url, functions }) => {
    const fns = functions.filter((f) => f.ranges[0].count > 0);
    return [url.replace(/.*\/(packages|apps)\//, '$1/'), fns.map((f) => `${f.functionName || 'anon'}`)];
  }).filter(([, f]) => f.length > 0);
  console.log(files.length + '\n' + files.map(([u, f]) => `${u}: ${f.join(' ')}`).sort().join('\n'));
});
