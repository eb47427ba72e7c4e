import { requireValid } from '@platform/resources';
import { environmentBody } from '../model/bodies.ts';
import type { Environment } from '../model/records.ts';
import type { ChildKind } from './kind.ts';

/** Environments: a name, and `production` from the start. */
export const environmentKind: ChildKind<Environment, { readonly name: string }> = {
  plural: 'environments',
  kindName: 'Environment',
  noun: 'environment',
  actions: { read: 'environments.read', create: 'children.write' },
  read: (body) => requireValid(environmentBody, body),
  create({ name }, { project, identifiers }) {
    return { draft: { uid: identifiers.uid(), projectUid: project.uid, name }, shownOnce: {} };
  },
  readBack: [],
  replacement: null,
  render: ({ uid, name, revision, createdAt }, { project }) => ({
    uid,
    name,
    project: project.name,
    revision,
    created_at: createdAt,
  }),
};
