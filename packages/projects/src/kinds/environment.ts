import { requireValid } from '@platform/resources';
import { z } from 'zod';
import { labelName } from '../model/fields.ts';
import type { ChildKind } from './kind.ts';

const body = z.strictObject({ name: labelName });

/** Environments: a name, and `production` from the start. */
export const environmentKind: ChildKind<'environments', z.output<typeof body>> = {
  collection: 'environments',
  plural: 'environments',
  kindName: 'Environment',
  noun: 'environment',
  actions: { read: 'environments.read', create: 'children.write' },
  body: () => body,
  read: (sent) => requireValid(body, sent),
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
