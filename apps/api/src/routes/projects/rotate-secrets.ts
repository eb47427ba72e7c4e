import { type ProjectPorts, rotateClientSecret, rotateCredential } from '@platform/projects';
import type { Request } from 'express';
import { noStore } from '../../http/oauth-answer.ts';
import type { Route } from '../route.ts';
import { answerItem, ifMatchOf, nameIn, optionalBodyOf, principalOf } from './request.ts';

/** `POST /api/v1/projects/{project}/extensions/{extension}/rotate-secret`. */
export function rotateSecretRoute(ports: ProjectPorts): Route {
  return {
    method: 'POST',
    path: '/api/v1/projects/:project/extensions/:name/rotate-secret',
    access: 'authenticated',
    async handle(request, response) {
      answerItem(request, response, 200, await rotateClientSecret(ports, askedFor(request)), noStore);
    },
  };
}

/** `POST /api/v1/projects/{project}/deployments/{deployment}/rotate-credential`. */
export function rotateCredentialRoute(ports: ProjectPorts, bodyLimit: number): Route {
  return {
    method: 'POST',
    path: '/api/v1/projects/:project/deployments/:name/rotate-credential',
    access: 'authenticated',
    async handle(request, response) {
      const readBody = optionalBodyOf(request, bodyLimit);
      const rotated = await rotateCredential(ports, { ...askedFor(request), readBody });
      answerItem(request, response, 200, rotated, noStore);
    },
  };
}

function askedFor(request: Request) {
  return {
    principal: principalOf(request),
    project: nameIn(request, 'project'),
    name: nameIn(request, 'name'),
    ifMatch: ifMatchOf(request),
  };
}
