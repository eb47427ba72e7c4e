import type { Field } from '../fields.ts';
import { nameField, type Schemas, type TypedKind } from '../kind.ts';

export type ServiceAccount = Schemas['ServiceAccount'];

const changeable: readonly Field[] = [
  {
    path: '/issuer_url',
    label: 'Issuer',
    type: 'text',
    mono: true,
    required: true,
    example: 'https://token.actions.githubusercontent.com',
    hint: 'Who signs the tokens that this account exchanges.',
  },
  {
    path: '/claims',
    label: 'Claims',
    type: 'pairs',
    add: 'Add a claim',
    cells: [
      { name: 'claim', label: 'Claim', example: 'sub' },
      { name: 'pattern', label: 'Pattern', example: 'repo:acme/shop:ref:refs/heads/main' },
    ],
    hint: 'A token must match every one: aud and at least one more. * stands for any text.',
  },
];

export const serviceAccountKind: TypedKind<ServiceAccount, Schemas['ServiceAccountWrite']> = {
  noun: 'a service account',
  fields: [nameField, ...changeable],
  editFields: changeable,
  initial: { name: '', claims: { aud: '', sub: '' } },
  bodyOf: ({ name, issuer_url, claims }) => ({ name, issuer_url, claims }),
};
