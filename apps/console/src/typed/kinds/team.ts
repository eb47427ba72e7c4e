import type { Field } from '../fields.ts';
import { nameField, organizationField, type Schemas, type TypedKind } from '../kind.ts';

export type Team = Schemas['Team'];

const members: Field = {
  path: '/members',
  label: 'Members',
  type: 'rows',
  add: 'Add a member',
  cells: [
    { name: 'email', label: 'E-mail address', example: 'ann@example.dev' },
    { name: 'role', label: 'Role', options: ['member', 'owner'] },
  ],
  hint: 'Owners change the team; every member may do everything in the projects that it owns.',
};

export const teamKind: TypedKind<Team, Schemas['TeamCreate']> = {
  noun: 'a team',
  fields: [nameField, organizationField, members],
  editFields: [members],
  initial: { name: '', members: [] },
  bodyOf: (team) => ({ members: team.members }),
};
