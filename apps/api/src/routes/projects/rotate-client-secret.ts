import { type ProjectPorts, rotateClientSecret } from '@platform/projects';
import { noStore } from '../../http/oauth-answer.ts';
import type { Route } from '../route.ts';
import { answerItem, ifMatchOf, nameIn, principalOf } from './request.ts';

/** `POST /api/v1/projects/{project}/extensions/{extension}/rotate-secret`. */
export function rotateSecretRoute(ports: ProjectPorts): Route {
  return {
    method: 'POST',
    path: '/api/v1/projects/:project/extensions/:name/rotate-secret',
    access: 'authenticated',
    async handle(request, response) {
      const asked = {
        principal: principalOf(request),
        project: nameIn(request, 'project'),
        name: nameIn(request, 'name'),
        ifMatch: ifMatchOf(request),
      };
      answerItem(request, response, 200, await rotateClientSecret(ports, asked), noStore);
    },
  };
}
