import {
  createProject,
  createProjectBody,
  deleteProject,
  domainChallenges,
  listProjects,
  renderProject,
  replaceProject,
  replaceProjectBody,
  requireProject,
} from '@platform/projects';
import { requireValid } from '@platform/resources';
import { z } from 'zod';
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
    json(200, await listProjects(ports, principal, readPage(call))),
});

/** `POST /api/v1/projects` */
const create = endpoint({
  ...collection,
  method: 'POST',
  id: 'createProject',
  summary: 'Create a project',
  requestHeaders: [ifMatch],
  query: z.object({
    reuse: z
      .enum(['true', 'false'], 'must be true or false')
      .default('false')
      .meta({ description: 'Whether to create the project although its name is reserved.' }),
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
  responses: { 201: { description: 'Created.', schema: ref('Project'), headers: createdDocs } },
  problems: [...createProblems, 'organization_terminating', 'invalid_query'],
  async handle({ ports }: TypedDeps, { principal, query, body: read }, call) {
    const { origin } = call;
    const type = createProjectBody(ports.projectUrlTemplate);
    const body = await sentNew(call, read, (value) => requireValid(type, value));
    const request = { principal, origin, body, reuse: query.reuse === 'true' };
    return createdAnswer(call, renderProject(await createProject(ports, request)));
  },
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
  query: z.object({
    host: z.array(z.string()).default([]).meta({
      description: 'The host to prove; several are possible. Those of the project when absent.',
      example: 'shop.example.com',
    }),
  }),
  responses: { 200: { description: 'One record a host.', schema: ref('DomainChallengeList') } },
  problems: [...namedProblems, 'invalid_query'],
  handle: async ({ ports }: TypedDeps, { principal, params: { project }, query }) =>
    json(200, await domainChallenges(ports, { principal, project, hosts: query.host })),
});

/** `PUT /api/v1/projects/{project}` */
const replace = endpoint({
  ...item,
  method: 'PUT',
  id: 'replaceProject',
  summary: 'Replace a project',
  requestHeaders: [ifMatch, ifNoneMatch],
  body: jsonBody(ref('ProjectReplace'), {
    project: { summary: 'Open to everyone with a session', value: { access_class: 'public' } },
  }),
  responses: { 200: { description: 'As it is stored now.', schema: ref('Project'), headers: etagDocs } },
  problems: [...replaceProblems, 'already_exists', 'domain_unverified'],
  async handle({ ports }: TypedDeps, { principal, params: { project }, body: read }, call) {
    const { origin, precondition } = call;
    const type = replaceProjectBody(ports.projectUrlTemplate);
    const body = await sent(read, (value) => requireValid(type, value));
    const request = { principal, origin, project, precondition, body };
    return itemAnswer(200, renderProject(await replaceProject(ports, request)));
  },
});

/** `DELETE /api/v1/projects/{project}` */
const remove = endpoint({
  ...item,
  method: 'DELETE',
  id: 'deleteProject',
  summary: 'Delete a project',
  requestHeaders: [ifMatch, ifNoneMatch],
  responses: { 200: { description: 'Deleted.', schema: ref('Deleted') } },
  problems: changeProblems,
  async handle({ ports }: TypedDeps, { principal, params: { project } }, { origin, precondition }) {
    await deleteProject(ports, { principal, origin, project, precondition });
    return json(200, { deleted: true });
  },
});

/** Projects, and the proof of their domains. */
export const projectEndpoints = [create, list, get, replace, remove, challenges];
