import { OAuthError } from '@platform/kernel';
import { authorizeDevice, type LoginPorts } from '@platform/login';
import { readUserAgent } from '@platform/tokens';
import { json } from '../../endpoint/answer.ts';
import { oauthBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { oauthEndpoint } from '../../endpoint/oauth-endpoint.ts';

/** `POST /api/v1/auth/device/code`: the device authorization endpoint (RFC 8628), for machines without a browser. */
export const deviceCode = endpoint({
  ...oauthEndpoint,
  method: 'POST',
  path: '/api/v1/auth/device/code',
  id: 'authorizeDevice',
  tag: 'Login',
  summary: 'Start the login of a device without a browser',
  description:
    'RFC 8628. A person opens `verification_uri` in any browser, logs in and confirms `user_code`; meanwhile the device polls `/api/v1/auth/code/exchange` with `device_code`.',
  access: 'public',
  limit: 'credentials',
  bodyLimit: 'small',
  body: oauthBody(ref('DeviceAuthorizationRequest'), {
    device: {
      summary: 'The command line on a machine without a browser',
      value: { client_id: 'platform-cli', scope: 'openid email' },
    },
  }),
  responses: { 200: { description: 'A device code and a user code.', schema: ref('DeviceAuthorization') } },
  oauthErrors: {
    400: ['invalid_request', 'invalid_scope'],
    401: ['invalid_client'],
    413: ['invalid_request'],
    429: ['temporarily_unavailable'],
    503: ['temporarily_unavailable'],
  },
  audit: { refused: 'auth.device' },
  async handle({ ports }: { readonly ports: LoginPorts }, { body }, call) {
    const { client_id: client, scope } = await body();
    if (scope !== undefined && typeof scope !== 'string') {
      throw new OAuthError('invalid_request', 'scope must be a string');
    }
    const answer = await authorizeDevice(ports, {
      clientId: typeof client === 'string' ? client : undefined,
      scope,
      address: call.address,
      userAgent: readUserAgent(call.headers['user-agent']),
    });
    call.audit({ action: 'auth.device', details: { client } });
    return json(200, answer);
  },
});
