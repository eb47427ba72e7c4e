import { Problem } from '@platform/kernel';
import { queryOf, readName } from '../projects/request.ts';
import type { Route } from '../route.ts';
import { answerGrant, type IngressParts, visitorOf } from './visitor.ts';

/**
 * `GET /api/v1/auth/ingress?project=`: a token for the project's URL, and headers for forward-auth proxies
 * such as nginx `auth_request`. Accepts a session or an ingress token of the same project.
 */
export function ingress(parts: IngressParts): Route {
  return {
    method: 'GET',
    path: '/api/v1/auth/ingress',
    // The other endpoints do not accept ingress tokens.
    access: 'public',
    async handle(request, response) {
      const [name, ...more] = queryOf(request).getAll('project');
      const project = readName(name);
      const visitor = await visitorOf(parts, request, project);
      if (name === undefined || more.length > 0) {
        throw new Problem('invalid_query', 'Query parameter project must appear once.');
      }
      answerGrant(response, await parts.mint(visitor.principal, project), visitor);
    },
  };
}
