import { type JsonObject, parseValue } from '@platform/resources';
import { scaleFaults, scalePathsOf } from './scale-paths.ts';

const scaleWith = (specReplicasPath: string) => ({ specReplicasPath, statusReplicasPath: '.status.n' });
const faultsOf = (path: string) =>
  scaleFaults(parseValue(JSON.stringify({ subresources: { scale: scaleWith(path) } })) as JsonObject, '');
const pathsOf = (path: string) =>
  scalePathsOf({ 'x-kubernetes-version': { subresources: { scale: scaleWith(path) } } });

it('a path of the replicas has at most a thousand characters', () => {
  expect(faultsOf('.spec.a.b')).toEqual([]);
  expect(pathsOf('.spec.a.b')?.spec).toEqual(['spec', 'a', 'b']);
  const long = `.spec${'.a'.repeat(100_000)}`;
  expect(faultsOf(long)).toHaveLength(1);
  expect(pathsOf(long)).toBeNull();
});
