import { OAuthError, type OAuthErrorCode } from '@platform/kernel';
import { type CodeExchangeRequest, exchangeCode, type LoginPorts } from '@platform/login';
import { readUserAgent } from '@platform/tokens';
import { json } from '../../endpoint/answer.ts';
import { oauthBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { oauthEndpoint } from '../../endpoint/oauth-endpoint.ts';
import type { Parameters } from '../../http/read-parameters.ts';
import { subjectOfToken } from '../../http/token-subject.ts';

/** `POST /api/v1/auth/code/exchange`: a native client's or a device's code for a session token (form or JSON). */
export const codeExchange = endpoint({
  ...oauthEndpoint,
  method: 'POST',
  path: '/api/v1/auth/code/exchange',
  id: 'exchangeCode',
  tag: 'Tokens and identity',
  summary: 'Exchange the code of a native login for a session token',
  description: 'RFC 6749 section 4.1.3, and the polls of devices (RFC 8628 section 3.4).',
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
    device: {
      summary: 'The poll of a device',
      value: {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: '<device_code>',
        client_id: 'platform-cli',
      },
    },
  }),
  responses: { 200: { description: 'A session and an ID token.', schema: ref('Session') } },
  oauthErrors: {
    400: [
      ...(['invalid_grant', 'invalid_request', 'unsupported_grant_type'] as const),
      ...(['authorization_pending', 'slow_down', 'expired_token', 'access_denied'] as const),
    ],
    401: ['invalid_client'],
    413: ['invalid_request'],
    429: ['temporarily_unavailable'],
    503: ['temporarily_unavailable'],
  },
  audit: { refused: 'token.refused', details: { kind: 'session' } },
  async handle({ ports }: { readonly ports: LoginPorts }, { body }, call) {
    const userAgent = readUserAgent(call.headers['user-agent']);
    const request = readExchange(await body());
    const answer = await exchangeCode(ports, request, userAgent).catch((error: unknown) => {
      if (error instanceof OAuthError && waits.has(error.code)) return error;
      throw error;
    });
    if (answer instanceof OAuthError) return json(answer.status, answer.body);
    const { details, ...subject } = subjectOfToken(answer.access_token);
    call.audit({ ...subject, action: 'token.issued', details: { kind: 'session', ...details } });
    return json(200, answer);
  },
});

/** Answers to polls that are no refusals: devices get them every few seconds, so they are not recorded. */
const waits: ReadonlySet<OAuthErrorCode> = new Set(['authorization_pending', 'slow_down']);

/** The parameters that are strings; a value of any other type counts as missing. */
function readExchange(parameters: Parameters): CodeExchangeRequest {
  const names = [
    ...(['grant_type', 'code', 'code_verifier', 'redirect_uri', 'client_id'] as const),
    'device_code' as const,
  ];
  return Object.fromEntries(
    names.map((name) => [name, parameters[name]]).filter(([, value]) => typeof value === 'string'),
  );
}
