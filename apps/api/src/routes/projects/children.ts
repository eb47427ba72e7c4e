import {
  type ChildCollection,
  createChild,
  deleteChild,
  getChild,
  listChildren,
  type ProjectChild,
  type ProjectPorts,
  replaceChild,
} from '@platform/projects';
import type { Request } from 'express';
import { answerJson } from '../../http/answer.ts';
import { noStore } from '../../http/oauth-answer.ts';
import type { Route } from '../route.ts';
import { answerItem, bodyOf, ifMatchOf, nameIn, principalOf, queryOf } from './request.ts';

/** `/api/v1/projects/{project}/<plural>` and the items below: the same five verbs for every kind. */
export function childRoutes<R extends ProjectChild, Body>(
  ports: ProjectPorts,
  collection: ChildCollection<R, Body>,
  bodyLimit: number,
): readonly Route[] {
  const path = `/api/v1/projects/:project/${collection.kind.plural}`;
  const shared = { access: 'authenticated' } as const;
  const asked = (request: Request) => ({
    principal: principalOf(request),
    project: nameIn(request, 'project'),
  });
  const askedFor = (request: Request) => ({
    ...asked(request),
    name: nameIn(request, 'name'),
    ifMatch: ifMatchOf(request),
  });
  return [
    {
      ...shared,
      path,
      method: 'GET',
      async handle(request, response) {
        const page = await listChildren(ports, collection, { ...asked(request), query: queryOf(request) });
        answerJson(response, 200, page);
      },
    },
    {
      ...shared,
      path,
      method: 'POST',
      async handle(request, response) {
        const body = { ...asked(request), readBody: bodyOf(request, bodyLimit) };
        // The answer may hold a secret that is never shown again.
        answerItem(request, response, 201, await createChild(ports, collection, body), noStore);
      },
    },
    {
      ...shared,
      path: `${path}/:name`,
      method: 'GET',
      handle: async (request, response) =>
        answerItem(request, response, 200, await getChild(ports, collection, askedFor(request))),
    },
    {
      ...shared,
      path: `${path}/:name`,
      method: 'PUT',
      async handle(request, response) {
        const body = { ...askedFor(request), readBody: bodyOf(request, bodyLimit) };
        answerItem(request, response, 200, await replaceChild(ports, collection, body));
      },
    },
    {
      ...shared,
      path: `${path}/:name`,
      method: 'DELETE',
      async handle(request, response) {
        await deleteChild(ports, collection, askedFor(request));
        answerJson(response, 200, { deleted: true });
      },
    },
  ];
}
