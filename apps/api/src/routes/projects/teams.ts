import {
  createTeam,
  createTeamBody,
  deleteTeam,
  getTeam,
  listTeams,
  renderTeam,
  replaceTeam,
  replaceTeamBody,
} from '@platform/projects';
import { requireValid } from '@platform/resources';
import { json } from '../../endpoint/answer.ts';
import { jsonBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { nameParams } from '../../endpoint/path-parameters.ts';
import { etagDocs, ifMatch, ifNoneMatch, notModified, pageQuery } from '../../endpoint/shared-docs.ts';
import {
  changeProblems,
  createdAnswer,
  createdDocs,
  createProblems,
  itemAnswer,
  namedProblems,
  readPage,
  replaceProblems,
  sent,
  sentNew,
  type TypedDeps,
  typedEndpoint,
} from './item.ts';

const collection = { ...typedEndpoint, path: '/api/v1/teams', tag: 'Projects and teams' } as const;
const params = nameParams('team');
const item = { ...typedEndpoint, path: '/api/v1/teams/{team}', tag: 'Projects and teams', params } as const;

/** `GET /api/v1/teams` */
const list = endpoint({
  ...collection,
  method: 'GET',
  id: 'listTeams',
  summary: 'List teams',
  documentedQuery: pageQuery,
  responses: { 200: { description: 'A page, ordered by name.', schema: ref('TeamList') } },
  problems: [...namedProblems, 'invalid_query'],
  handle: async ({ ports }: TypedDeps, { principal }, call) =>
    json(200, await listTeams(ports, principal, readPage(call))),
});

/** `POST /api/v1/teams` */
const create = endpoint({
  ...collection,
  method: 'POST',
  id: 'createTeam',
  summary: 'Create a team',
  requestHeaders: [ifMatch],
  body: jsonBody(ref('TeamCreate'), {
    team: {
      summary: 'A team of two',
      value: {
        name: 'makers',
        members: [
          { email: 'ann@example.dev', role: 'owner' },
          { email: 'bob@example.dev', role: 'member' },
        ],
      },
    },
  }),
  responses: { 201: { description: 'Created.', schema: ref('Team'), headers: createdDocs } },
  problems: [...createProblems, 'organization_terminating'],
  async handle({ ports }: TypedDeps, { principal, body: read }, call) {
    const { origin } = call;
    const body = await sentNew(call, read, (value) => requireValid(createTeamBody, value));
    const request = { principal, origin, body };
    return createdAnswer(call, renderTeam(await createTeam(ports, request)));
  },
});

/** `GET /api/v1/teams/{team}` */
const get = endpoint({
  ...item,
  method: 'GET',
  id: 'getTeam',
  summary: 'Read a team',
  responses: {
    200: { description: 'The team.', schema: ref('Team'), headers: etagDocs },
    304: notModified,
  },
  problems: namedProblems,
  handle: async ({ ports }: TypedDeps, { principal, params: { team } }) =>
    itemAnswer(200, renderTeam(await getTeam(ports, principal, team))),
});

/** `PUT /api/v1/teams/{team}` */
const replace = endpoint({
  ...item,
  method: 'PUT',
  id: 'replaceTeam',
  summary: 'Replace a team',
  requestHeaders: [ifMatch, ifNoneMatch],
  body: jsonBody(ref('TeamReplace'), {
    team: { summary: 'A team of one', value: { members: [{ email: 'ann@example.dev', role: 'owner' }] } },
  }),
  responses: { 200: { description: 'As it is stored now.', schema: ref('Team'), headers: etagDocs } },
  problems: replaceProblems,
  async handle({ ports }: TypedDeps, { principal, params: { team }, body: read }, call) {
    const { origin, precondition } = call;
    const body = await sent(read, (value) => requireValid(replaceTeamBody, value));
    const request = { principal, origin, team, precondition, body };
    return itemAnswer(200, renderTeam(await replaceTeam(ports, request)));
  },
});

/** `DELETE /api/v1/teams/{team}` */
const remove = endpoint({
  ...item,
  method: 'DELETE',
  id: 'deleteTeam',
  summary: 'Delete a team',
  requestHeaders: [ifMatch, ifNoneMatch],
  responses: { 200: { description: 'Deleted.', schema: ref('Deleted') } },
  problems: [...changeProblems, 'in_use'],
  async handle({ ports }: TypedDeps, { principal, params: { team } }, { origin, precondition }) {
    await deleteTeam(ports, { principal, origin, team, precondition });
    return json(200, { deleted: true });
  },
});

/** Teams. */
export const teamEndpoints = [create, list, get, replace, remove];
