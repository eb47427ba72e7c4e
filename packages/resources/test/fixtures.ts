import { type Fault, Problem } from '@platform/kernel';
import type { Collection } from '../src/model/definition.ts';
import type { Resource } from '../src/model/resource.ts';

/** A live widget at revision 3. */
export const widget: Resource = {
  uid: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  apiVersion: 'example.dev/v1',
  kind: 'Widget',
  parentUid: null,
  ancestors: [],
  ancestorUids: [],
  name: 'w1',
  discriminator: 'abcd1234',
  labels: {},
  metadata: '{"annotations":{}}',
  spec: '{"size":1}',
  status: '{"controllers":{}}',
  revision: 3,
  generation: 2,
  finalizers: [],
  ownerReferences: [],
  deletionTimestamp: null,
  creationTimestamp: '2026-01-02T03:04:05.678Z',
};

/** Widgets: `v1` is stored, `v2` is served too, `v0` is no longer served. */
export const widgets: Collection = {
  group: 'example.dev',
  kind: 'Widget',
  plural: 'widgets',
  definition: { uid: '0190a1b2-0000-7000-8000-000000000001', version: 'a', terminating: false },
  ancestors: [],
  versions: [
    { name: 'v0', served: false, storage: false, schema: null, selectableFields: [] },
    { name: 'v1', served: true, storage: true, schema: null, selectableFields: [] },
    { name: 'v2', served: true, storage: false, schema: null, selectableFields: [] },
  ],
  allowedStatusControllerIds: ['ctrl.example'],
};

/** The code and fault paths of the problem that `run` throws. */
export function refusalOf(run: () => unknown): { code: string; paths: string[]; errors: readonly Fault[] } {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) {
      const errors = error.errors ?? [];
      return { code: error.code, paths: errors.map(({ path }) => path), errors };
    }
    throw error;
  }
  throw new Error('the call was not refused');
}
