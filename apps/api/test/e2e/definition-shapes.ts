import { ancestorsOf, type CustomKind, type Run } from './address.ts';

const allowed = ['ctrl.example.dev'];
const v1 = { name: 'v1', served: true, storage: true };
const v2 = { name: 'v2', served: true, storage: false };

/** The contents of the definitions of a run, without their identity: each is an edit of every other. */
const shapes: readonly object[] = [
  { versions: [v1, v2], allowedStatusControllerIds: allowed },
  { versions: [v1], allowedStatusControllerIds: allowed },
  {
    versions: [
      { ...v1, storage: false },
      { ...v2, storage: true },
    ],
    allowedStatusControllerIds: allowed,
  },
  {
    versions: [
      { ...v1, served: false, storage: false },
      { ...v2, storage: true },
    ],
  },
  { versions: [{ ...v2, storage: true }], allowedStatusControllerIds: allowed },
  { versions: [v1, { ...v2, served: false }], allowedStatusControllerIds: [] },
  {
    versions: [{ ...v1, schema: { type: 'object', required: ['size'] } }, v2],
    allowedStatusControllerIds: allowed,
  },
  { versions: [v1, v1] },
  { versions: [] },
  { versions: [v1, v2], parent: { apiVersion: 'nowhere.example.dev/v1', kind: 'Missing' } },
];

export const shapeCount = shapes.length;

/** Parents before children. */
export const definedKinds: readonly CustomKind[] = ['Alpha', 'Beta', 'Gamma'];

/** The spec of a kind's definition. */
export function definitionSpec(run: Run, kind: CustomKind, shape: number): string {
  const parent = ancestorsOf[kind].at(-1);
  return JSON.stringify({
    group: run.group,
    kind,
    plural: run.plural(kind),
    ...(parent === undefined ? {} : { parent: { apiVersion: `${run.group}/v1`, kind: parent } }),
    ...shapes[shape],
  });
}
