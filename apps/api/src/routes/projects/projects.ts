import {
  createProject,
  deleteProject,
  domainChallenges,
  listProjects,
  renderProject,
  replaceProject,
  requireProject,
} from '@platform/projects';
import { z } from 'zod';
import { json } from '../../endpoint/answer.ts';
import { jsonBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { nameParams } from '../../endpoint/path-parameters.ts';
import {
  changeProblems,
  etagDocs,
  ifMatch,
  itemAnswer,
  namedProblems,
  notModified,
  pageQuery,
  type TypedDeps,
  typedEndpoint,
} from './item.ts';

const collection = { ...typedEndpoint, path: '/api/v1/projects', tag: 'Projects and teams' } as const;
const params = nameParams('project');
const item = {
  ...typedEndpoint,
  path: '/api/v1/projects/{project}',
  tag: 'Projects and teams',
  params,
} as const;

/** `GET /api/v1/projects` */
const list = endpoint({
  ...collection,
  method: 'GET',
  id: 'listProjects',
  summary: 'List projects',
  documentedQuery: pageQuery,
  responses: { 200: { description: 'A page, ordered by name.', schema: ref('ProjectList') } },
  problems: [...namedProblems, 'invalid_query'],
  handle: async ({ ports }: TypedDeps, { principal }, call) =>
    json(200, await listProjects(ports, principal, call.searchParams)),
});

/** `POST /api/v1/projects` */
const create = endpoint({
  ...collection,
  method: 'POST',
  id: 'createProject',
  summary: 'Create a project',
  documentedQuery: z.object({
    reuse: z
      .boolean()
      .default(false)
      .meta({ description: 'Takes the name of a deleted project although it is still reserved.' }),
  }),
  body: jsonBody(ref('ProjectCreate'), {
    project: {
      summary: 'A private project of a team',
      value: {
        name: 'shop',
        access_class: 'private',
        url: 'https://shop.example.dev',
        custom_domains: ['https://www.shop.example'],
        owner: { team: 'makers' },
        members: ['carol@example.dev'],
      },
    },
  }),
  responses: { 201: { description: 'Created.', schema: ref('Project'), headers: etagDocs } },
  problems: [...namedProblems, 'already_exists', 'organization_terminating', 'invalid_query', 'contention'],
  handle: async ({ ports }: TypedDeps, { principal, body }, call) =>
    itemAnswer(201, renderProject(await createProject(ports, principal, call.searchParams, body))),
});

/** `GET /api/v1/projects/{project}` */
const get = endpoint({
  ...item,
  method: 'GET',
  id: 'getProject',
  summary: 'Read a project',
  responses: {
    200: { description: 'The project.', schema: ref('Project'), headers: etagDocs },
    304: notModified,
  },
  problems: namedProblems,
  handle: async ({ ports }: TypedDeps, { principal, params: { project } }) =>
    itemAnswer(200, renderProject(await requireProject(ports, principal, project, 'project.read'))),
});

/** `GET /api/v1/projects/{project}/domain-challenges` */
const challenges = endpoint({
  ...item,
  path: '/api/v1/projects/{project}/domain-challenges',
  method: 'GET',
  id: 'listDomainChallenges',
  summary: 'List the TXT records that prove domains',
  description: 'A PUT of the project accepts a URL or custom domain at a host once its record is published.',
  documentedQuery: z.object({
    host: z.array(z.string()).default([]).meta({
      description: 'The host to prove; several are possible. Those of the project when absent.',
      example: 'shop.example.com',
    }),
  }),
  responses: { 200: { description: 'One record a host.', schema: ref('DomainChallengeList') } },
  problems: [...namedProblems, 'invalid_query'],
  handle: async ({ ports }: TypedDeps, { principal, params: { project } }, call) =>
    json(200, await domainChallenges(ports, { principal, project, query: call.searchParams })),
});

/** `PUT /api/v1/projects/{project}` */
const replace = endpoint({
  ...item,
  method: 'PUT',
  id: 'replaceProject',
  summary: 'Replace a project',
  requestHeaders: [ifMatch],
  body: jsonBody(ref('ProjectReplace'), {
    project: { summary: 'Open to everyone with a session', value: { access_class: 'public' } },
  }),
  responses: { 200: { description: 'As it is stored now.', schema: ref('Project'), headers: etagDocs } },
  problems: [...changeProblems, 'already_exists', 'domain_unverified'],
  handle: async ({ ports }: TypedDeps, { principal, params: { project }, body }, { ifMatch: precondition }) =>
    itemAnswer(
      200,
      renderProject(
        await replaceProject(ports, { principal, project, ifMatch: precondition, readBody: body }),
      ),
    ),
});

/** `DELETE /api/v1/projects/{project}` */
const remove = endpoint({
  ...item,
  method: 'DELETE',
  id: 'deleteProject',
  summary: 'Delete a project',
  requestHeaders: [ifMatch],
  responses: { 200: { description: 'Deleted.', schema: ref('Deleted') } },
  problems: changeProblems,
  async handle({ ports }: TypedDeps, { principal, params: { project } }, { ifMatch: precondition }) {
    await deleteProject(ports, { principal, project, ifMatch: precondition });
    return json(200, { deleted: true });
  },
});

/** Projects, and the proof of their domains. */
export const projectEndpoints = [create, list, get, replace, remove, challenges];
