import type { Principal } from '@platform/tokens';
import type { Project, Team } from '../model/records.ts';
import { administers, mayDo, type ProjectAction, projectRole, seesAll, teamRole } from './access.ts';

const project: Project = {
  uid: 'p',
  name: 'shop',
  organization: 'default',
  organizationUid: 'o',
  accessClass: 'private',
  url: 'https://shop.example',
  customDomains: [],
  owner: { user: 'owner@example.dev' },
  members: ['member@example.dev'],
  ownerTeamMembers: [],
  contested: [],
  revision: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const elsewhere = { ...project, organization: 'partners' };
const ofTeam = { ...project, owner: { team: 'crew' }, ownerTeamMembers: ['crew@example.dev'] };

const user = (email: string, more: object = {}) =>
  ({ type: 'user', uid: 'u', email, admin: false, ...more }) as Principal;
const operator = user('op@example.dev', { type: 'operator' });
const admin = user('admin@example.dev', { admin: true });
const account = (of: string) =>
  ({ type: 'service_account', uid: 's', email: `${of}+ci@sa.platform.local`, project: of }) as Principal;
const controller = { type: 'controller', id: 'c' } as Principal;

const actions: readonly ProjectAction[] = [
  'project.read',
  'project.write',
  'environments.read',
  'extensions.read',
  'deployments.create',
  'children.read',
  'children.write',
];

describe('the role in a project', () => {
  it.each<[string, Principal, Project, 'manager' | 'service_account' | null]>([
    ['the owner', user('owner@example.dev'), project, 'manager'],
    ['the owner in another case', user('Owner@Example.dev'), project, 'manager'],
    ['a member', user('member@example.dev'), project, 'manager'],
    ['a member of the owning team', user('crew@example.dev'), ofTeam, 'manager'],
    ['the former owner of a project of a team', user('owner@example.dev'), ofTeam, null],
    ['a stranger', user('stranger@example.dev'), project, null],
    ['an admin in the default Organization', admin, project, 'manager'],
    ['an admin in another Organization', admin, elsewhere, null],
    ['an operator in the default Organization', operator, project, null],
    ['an operator in another Organization', operator, elsewhere, 'manager'],
    ['a service account of the project', account('shop'), project, 'service_account'],
    // Attack: a service account of one project is presented at another.
    ['a service account of another project', account('other'), project, null],
    ['a controller', controller, project, null],
  ])('of %s', (_who, principal, of, role) => {
    expect(projectRole(principal, of, 'default')).toBe(role);
  });
});

describe('the actions of a role', () => {
  it.each<['manager' | 'service_account' | null, readonly ProjectAction[]]>([
    ['manager', actions],
    ['service_account', ['project.read', 'environments.read', 'extensions.read', 'deployments.create']],
    [null, []],
  ])('of %s', (role, allowed) => {
    expect(actions.filter((action) => mayDo(role, action))).toEqual(allowed);
  });
});

describe('the administration of an Organization', () => {
  it.each<[string, Principal, string, boolean]>([
    ['an admin of the default Organization', admin, 'default', true],
    ['an admin of another Organization', admin, 'partners', false],
    ['an operator of the default Organization', operator, 'default', false],
    [
      'an operator who is an admin',
      user('op@example.dev', { type: 'operator', admin: true }),
      'default',
      true,
    ],
    ['an operator of another Organization', operator, 'partners', true],
    ['a user', user('owner@example.dev'), 'default', false],
    ['a service account', account('shop'), 'default', false],
    ['a controller', controller, 'partners', false],
  ])('by %s', (_who, principal, organization, expected) => {
    expect(administers(principal, organization, 'default')).toBe(expected);
  });
});

describe('the role in a team', () => {
  const team: Team = {
    uid: 't',
    name: 'crew',
    organization: 'default',
    organizationUid: 'o',
    members: [
      { email: 'lead@example.dev', role: 'owner' },
      { email: 'crew@example.dev', role: 'member' },
    ],
    revision: 1,
    createdAt: project.createdAt,
  };

  it.each<[string, Principal, 'manager' | 'reader' | null]>([
    ['an owner of the team', user('lead@example.dev'), 'manager'],
    ['a member', user('Crew@example.dev'), 'reader'],
    ['an admin', admin, 'manager'],
    ['an operator', operator, null],
    ['a stranger', user('stranger@example.dev'), null],
    ['a service account', account('shop'), null],
    ['a controller', controller, null],
  ])('of %s', (_who, principal, role) => {
    expect(teamRole(principal, team, 'default')).toBe(role);
  });
});

// Attack: names of projects are probed by the difference between 403 and 404.
it.each<[string, Principal, boolean]>([
  ['an admin', admin, true],
  ['an operator without the admin role', operator, false],
  ['a user', user('owner@example.dev'), false],
  ['a service account', account('shop'), false],
  ['a controller', controller, false],
])('distinguishes missing from forbidden projects for %s: %s', (_who, principal, expected) => {
  expect(seesAll(principal)).toBe(expected);
});
