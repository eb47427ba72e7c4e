import {
  createProject,
  deleteProject,
  listProjects,
  type ProjectPorts,
  renderProject,
  replaceProject,
  requireProject,
} from '@platform/projects';
import { answerJson } from '../../http/answer.ts';
import type { Route } from '../route.ts';
import { bodyOf, nameIn, principalOf, queryOf } from './request.ts';

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
        const project = await createProject(ports, principalOf(request), bodyOf(request, bodyLimit));
        answerJson(response, 201, renderProject(project));
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
        answerJson(response, 200, renderProject(project));
      },
    },
    {
      ...item,
      method: 'PUT',
      async handle(request, response) {
        const body = bodyOf(request, bodyLimit);
        const project = await replaceProject(ports, principalOf(request), nameIn(request, 'project'), body);
        answerJson(response, 200, renderProject(project));
      },
    },
    {
      ...item,
      method: 'DELETE',
      async handle(request, response) {
        await deleteProject(ports, principalOf(request), nameIn(request, 'project'));
        answerJson(response, 200, { deleted: true });
      },
    },
  ];
}
