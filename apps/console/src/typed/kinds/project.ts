import type { Field } from '../fields.ts';
import { nameField, organizationField, type Schemas, type TypedKind } from '../kind.ts';

export type Project = Schemas['Project'];

const changeable: readonly Field[] = [
  {
    path: '/access_class',
    label: 'Who may open the app',
    type: 'choice',
    options: [
      { value: 'private', label: 'The project’s people (private)' },
      { value: 'public', label: 'Everybody who is logged in (public)' },
    ],
  },
  {
    path: '/url',
    label: 'URL',
    type: 'text',
    mono: true,
    example: 'https://shop.example.com',
    hint: 'The address of the app. If it is empty, the platform makes one from the name.',
  },
  {
    path: '/custom_domains',
    label: 'Custom domains',
    type: 'lines',
    example: 'https://www.shop.example',
    hint: 'One origin a line. A new domain needs a proof; the tab Domains shows it.',
  },
  { path: '/owner', label: 'Owner', type: 'owner', hint: 'If a new project names no owner, you own it.' },
  {
    path: '/members',
    label: 'Members',
    type: 'lines',
    example: 'bob@example.dev',
    hint: 'One e-mail address a line. Members may do everything in the project.',
  },
];

export const projectKind: TypedKind<Project, Schemas['ProjectCreate']> = {
  noun: 'a project',
  fields: [nameField, organizationField, ...changeable],
  editFields: changeable,
  initial: { name: '', access_class: 'private' },
  bodyOf: ({ access_class, url, custom_domains, owner, members }) => ({
    access_class,
    url,
    owner,
    // An empty list is left out, like an empty field of the form.
    custom_domains: custom_domains.length === 0 ? undefined : custom_domains,
    members: members.length === 0 ? undefined : members,
  }),
};

export function ownerText({ owner }: Pick<Project, 'owner'>): string {
  return 'user' in owner ? owner.user : `team ${owner.team}`;
}
