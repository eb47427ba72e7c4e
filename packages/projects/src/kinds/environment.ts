import { invalid } from '@platform/kernel';
import { requireValid } from '@platform/resources';
import { environmentBody } from '../model/bodies.ts';
import type { Environment } from '../model/records.ts';
import { changedFields } from '../rules/unchanged.ts';
import type { ChildKind } from './kind.ts';

/** Environments: a name, and `production` from the start. */
export const environmentKind: ChildKind<Environment> = {
  plural: 'environments',
  actions: { read: 'environments.read', create: 'children.write' },
  create(body, { project, identifiers }) {
    const { name } = requireValid(environmentBody, body);
    return { draft: { uid: identifiers.uid(), projectUid: project.uid, name }, shownOnce: {} };
  },
  replace(body, stored) {
    const faults = changedFields(requireValid(environmentBody, body), { name: stored.name });
    if (faults.length > 0) throw invalid(faults);
    return stored;
  },
  render: ({ uid, name, createdAt }, { project }) => ({
    uid,
    name,
    project: project.name,
    created_at: createdAt,
  }),
};
