import { token } from '@platform/oauth-proxy';
import { answerJson } from '../../http/answer.ts';
import { proxyRoute } from './proxy-route.ts';
import { readForm } from './read-form.ts';

/** `POST /oidc/{project}/{extension}/token`: authorization code and refresh grants. */
export const tokenRoute = proxyRoute(
  {
    method: 'POST',
    path: '/oidc/:project/:extension/token',
    reader: 'script',
    async handle({ ports, bodyLimit }, name, request, response) {
      const form = await readForm(request, bodyLimit);
      answerJson(
        response,
        200,
        await token(ports, name, { form, authorization: request.headers.authorization }),
      );
    },
  },
  { preflight: ['POST'] },
);
