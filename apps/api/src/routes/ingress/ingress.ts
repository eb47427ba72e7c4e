import { Problem } from '@platform/kernel';
import { z } from 'zod';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { readName } from '../../endpoint/path-parameters.ts';
import { grantAnswer, type IngressDeps, recordGrant, visitorOf } from './visitor.ts';

/**
 * `GET /api/v1/auth/ingress?project=`: a token for the project's URL, and headers for forward-auth proxies
 * such as nginx `auth_request`. Accepts a session or an ingress token of the same project.
 */
export const ingress = endpoint({
  method: 'GET',
  path: '/api/v1/auth/ingress',
  id: 'mintIngressToken',
  tag: 'Tokens and identity',
  summary: 'Get the token that opens the URL of a project',
  description: 'Made for forward-auth proxies such as the `auth_request` of nginx.',
  // The other endpoints do not accept ingress tokens.
  access: 'public',
  unlimited:
    'proxies ask for each request of their visitors, from one address; the database is read after the credential is verified',
  credential: 'visitor',
  // Read below: a caller without a session is 401 whatever the query is.
  documentedQuery: z.object({
    project: z.string().meta({ description: 'The name of the project.', example: 'shop' }),
  }),
  responses: {
    200: {
      description: 'An ingress token, in the body and in a header.',
      schema: ref('IngressToken'),
      headers: {
        'X-Auth-Request-User': 'The uid of the user.',
        'X-Auth-Request-Email': 'Their e-mail address.',
        'X-Auth-Request-Access-Token': 'The token.',
        'Set-Cookie': 'A newer ingress cookie, in the second half of the life of the one that was sent.',
      },
    },
  },
  problems: ['invalid_query'],
  audit: { refused: 'token.refused', details: { kind: 'ingress' } },
  async handle(deps: IngressDeps, _input, call) {
    const [name, ...more] = call.searchParams.getAll('project');
    const project = readName(name);
    const visitor = await visitorOf(deps, call, project);
    call.context.principal = visitor.principal;
    if (name === undefined || more.length > 0) {
      throw new Problem('invalid_query', 'Query parameter project must appear once.');
    }
    const grant = await deps.mint(visitor.principal, project);
    recordGrant(call, grant);
    return grantAnswer(grant, visitor);
  },
});
