import type { Field } from '../fields.ts';
import { nameField, type Schemas, type TypedKind } from '../kind.ts';

export type Environment = Schemas['Environment'];
export type Deployment = Schemas['Deployment'];

export const environmentKind: TypedKind<Environment, Schemas['EnvironmentWrite']> = {
  noun: 'an environment',
  fields: [nameField],
  editFields: null,
  initial: { name: '' },
  bodyOf: ({ name }) => ({ name }),
};

export const deploymentFields: readonly Field[] = [
  {
    path: '/expires_at',
    label: 'Credential expires',
    type: 'instant',
    hint: 'It expires in 90 days unless you choose a time.',
  },
];

/** A deployment in one of the environments of a project. */
export function deploymentKind(
  environments: readonly string[],
): TypedKind<Deployment, Schemas['DeploymentWrite']> {
  return {
    noun: 'a deployment',
    fields: [
      {
        path: '/environment',
        label: 'Environment',
        type: 'choice',
        required: true,
        options: environments.map((name) => ({ value: name, label: name })),
      },
      ...deploymentFields,
    ],
    editFields: null,
    initial: { environment: environments[0] },
    bodyOf: ({ environment, expires_at }) => ({ environment, expires_at }),
  };
}
