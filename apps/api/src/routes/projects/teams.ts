import {
  createTeam,
  deleteTeam,
  getTeam,
  listTeams,
  type ProjectPorts,
  renderTeam,
  replaceTeam,
} from '@platform/projects';
import type { Request } from 'express';
import { answerJson } from '../../http/answer.ts';
import type { Route } from '../route.ts';
import { answerItem, bodyOf, ifMatchOf, nameIn, principalOf, queryOf } from './request.ts';

/** `/api/v1/teams` and `/api/v1/teams/{team}`. */
export function teamRoutes(ports: ProjectPorts, bodyLimit: number): readonly Route[] {
  const collection = { path: '/api/v1/teams', access: 'authenticated' } as const;
  const item = { path: '/api/v1/teams/:team', access: 'authenticated' } as const;
  return [
    {
      ...collection,
      method: 'GET',
      handle: async (request, response) =>
        answerJson(response, 200, await listTeams(ports, principalOf(request), queryOf(request))),
    },
    {
      ...collection,
      method: 'POST',
      async handle(request, response) {
        const team = await createTeam(ports, principalOf(request), bodyOf(request, bodyLimit));
        answerItem(request, response, 201, renderTeam(team));
      },
    },
    {
      ...item,
      method: 'GET',
      handle: async (request, response) =>
        answerItem(
          request,
          response,
          200,
          renderTeam(await getTeam(ports, principalOf(request), nameIn(request, 'team'))),
        ),
    },
    {
      ...item,
      method: 'PUT',
      async handle(request, response) {
        const readBody = bodyOf(request, bodyLimit);
        const team = await replaceTeam(ports, { ...changeOf(request), readBody });
        answerItem(request, response, 200, renderTeam(team));
      },
    },
    {
      ...item,
      method: 'DELETE',
      async handle(request, response) {
        await deleteTeam(ports, changeOf(request));
        answerJson(response, 200, { deleted: true });
      },
    },
  ];
}

function changeOf(request: Request) {
  return { principal: principalOf(request), team: nameIn(request, 'team'), ifMatch: ifMatchOf(request) };
}
