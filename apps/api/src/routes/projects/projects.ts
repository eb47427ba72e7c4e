import {
  createProject,
  deleteProject,
  domainChallenges,
  listProjects,
  type ProjectPorts,
  renderProject,
  replaceProject,
  requireProject,
} from '@platform/projects';
import type { Request } from 'express';
import { answerJson } from '../../http/answer.ts';
import type { Route } from '../route.ts';
import { answerItem, bodyOf, ifMatchOf, nameIn, principalOf, queryOf } from './request.ts';

/** `/api/v1/projects` and `/api/v1/projects/{project}`. */
export function projectRoutes(ports: ProjectPorts, bodyLimit: number): readonly Route[] {
  const collection = { path: '/api/v1/projects', access: 'authenticated' } as const;
  const item = { path: '/api/v1/projects/:project', access: 'authenticated' } as const;
  return [
    {
      ...collection,
      method: 'GET',
      handle: async (request, response) =>
        answerJson(response, 200, await listProjects(ports, principalOf(request), queryOf(request))),
    },
    {
      ...collection,
      method: 'POST',
      async handle(request, response) {
        const project = await createProject(
          ports,
          principalOf(request),
          queryOf(request),
          bodyOf(request, bodyLimit),
        );
        answerItem(request, response, 201, renderProject(project));
      },
    },
    {
      ...item,
      method: 'GET',
      async handle(request, response) {
        const project = await requireProject(
          ports,
          principalOf(request),
          nameIn(request, 'project'),
          'project.read',
        );
        answerItem(request, response, 200, renderProject(project));
      },
    },
    {
      path: '/api/v1/projects/:project/domain-challenges',
      access: 'authenticated',
      method: 'GET',
      async handle(request, response) {
        const asked = { ...changeOf(request), query: queryOf(request) };
        answerJson(response, 200, await domainChallenges(ports, asked));
      },
    },
    {
      ...item,
      method: 'PUT',
      async handle(request, response) {
        const readBody = bodyOf(request, bodyLimit);
        const project = await replaceProject(ports, { ...changeOf(request), readBody });
        answerItem(request, response, 200, renderProject(project));
      },
    },
    {
      ...item,
      method: 'DELETE',
      async handle(request, response) {
        await deleteProject(ports, changeOf(request));
        answerJson(response, 200, { deleted: true });
      },
    },
  ];
}

function changeOf(request: Request) {
  return {
    principal: principalOf(request),
    project: nameIn(request, 'project'),
    ifMatch: ifMatchOf(request),
  };
}
