import { type CodeExchangeRequest, exchangeCode, type LoginPorts } from '@platform/login';
import { readUserAgent } from '@platform/sessions';
import { json } from '../../endpoint/answer.ts';
import { oauthBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { oauthEndpoint } from '../../endpoint/refusals.ts';
import type { Parameters } from '../../http/read-parameters.ts';
import { subjectOfToken } from '../../http/token-subject.ts';

/** `POST /api/v1/auth/code/exchange`: a native client's code for a session token (form or JSON). */
export const codeExchange = endpoint({
  ...oauthEndpoint,
  method: 'POST',
  path: '/api/v1/auth/code/exchange',
  id: 'exchangeCode',
  tag: 'Tokens and identity',
  summary: 'Exchange the code of a native login for a session token',
  // The code is the credential, bound to its verifier.
  access: 'public',
  limit: 'credentials',
  bodyLimit: 'small',
  body: oauthBody(ref('CodeExchange'), {
    code: {
      summary: 'The code of a native login',
      value: {
        grant_type: 'authorization_code',
        code: '<code>',
        code_verifier: '<code_verifier>',
        redirect_uri: 'http://127.0.0.1:49152/callback',
        client_id: 'platform-cli',
      },
    },
  }),
  responses: { 200: { description: 'A session and an ID token.', schema: ref('Session') } },
  oauthErrors: {
    400: ['invalid_grant', 'invalid_request', 'unsupported_grant_type'],
    401: ['invalid_client'],
    413: ['invalid_request'],
    503: ['temporarily_unavailable'],
  },
  audit: { refused: 'token.refused', details: { kind: 'session' } },
  async handle({ ports }: { readonly ports: LoginPorts }, { body }, call) {
    const userAgent = readUserAgent(call.headers['user-agent']);
    const answer = await exchangeCode(ports, readExchange(await body()), userAgent);
    const { details, ...subject } = subjectOfToken(answer.access_token);
    call.audit({ ...subject, action: 'token.issued', details: { kind: 'session', ...details } });
    return json(200, answer);
  },
});

/** The parameters that are strings; a value of any other type counts as missing. */
function readExchange(parameters: Parameters): CodeExchangeRequest {
  const names = ['grant_type', 'code', 'code_verifier', 'redirect_uri', 'client_id'] as const;
  return Object.fromEntries(
    names.map((name) => [name, parameters[name]]).filter(([, value]) => typeof value === 'string'),
  );
}
