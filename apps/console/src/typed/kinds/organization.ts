import { type Resource, resourcesPath } from '../../api/resource.ts';
import { type Field, withValue } from '../fields.ts';
import { nameField, type TypedKind } from '../kind.ts';

const apiVersion = 'platform.dev/v1alpha1';
export const organizationsPath = `${resourcesPath}/${apiVersion}/organizations`;

const changeable: readonly Field[] = [
  { path: '/spec/displayName', label: 'Display name', type: 'text', example: 'ACME Corporation' },
  { path: '/spec/description', label: 'Description', type: 'text' },
  {
    path: '/spec/deploymentControllerClass',
    label: 'Deployment controller class',
    type: 'text',
    mono: true,
    hint: 'Which controller runs the deployments, when there are several.',
  },
];

/** Organizations are resources of the generic API, but people create them like the typed ones. */
export const organizationKind: TypedKind<Resource> = {
  noun: 'an organization',
  fields: [{ ...nameField, path: '/metadata/name' }, ...changeable],
  editFields: changeable,
  initial: { apiVersion, kind: 'Organization', metadata: { name: '' }, spec: {} },
  atRevision: (body, revision) => withValue(body, '/metadata/revision', revision),
  bodyOf({ kind, metadata, spec }) {
    // The editable part. A status that is written meanwhile does not conflict with a change of the spec.
    const { name, labels, annotations, finalizers } = metadata;
    return { apiVersion, kind, metadata: { name, labels, annotations, finalizers }, spec };
  },
};
