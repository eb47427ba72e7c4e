import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import type { Configuration, Provider } from 'oidc-provider';
import { close, listen } from './loopback.ts';
import { UPSTREAM_CLIENT } from './upstream-client.ts';

/** Runs what warns on the console that its settings are for development: they are. */
async function quietly<T>(work: () => T | Promise<T>): Promise<T> {
  const { warn, info } = console;
  Object.assign(console, { warn: () => undefined, info: () => undefined });
  try {
    return await work();
  } finally {
    Object.assign(console, { warn, info });
  }
}

/** A real OpenID Connect provider on loopback, which logs everybody in as `alice` without asking. */
export interface RunningProvider {
  readonly issuer: string;
  /** Registers the one redirect URI of the client; before the first login. */
  register(callbackUrl: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts the provider on a free port; its client is registered when {@link RunningProvider.register} is called. */
export async function startProvider(): Promise<RunningProvider> {
  let handler: ReturnType<Provider['callback']> | null = null;
  let provider: Provider | null = null;
  const server: Server = createServer((request, response) => {
    const uid = /^\/interaction\/([\w-]+)$/.exec(request.url ?? '')?.[1];
    if (provider === null || handler === null) response.writeHead(503).end();
    else if (uid === undefined) void handler(request, response);
    else void approve(provider, request, response);
  });
  const issuer = await listen(server);
  const keys = await signingKeys();
  return {
    issuer,
    async register(callbackUrl) {
      provider = await quietly(async () => {
        const { Provider } = await import('oidc-provider');
        return new Provider(issuer, configuration(callbackUrl, keys));
      });
      provider.on('server_error', (_context, error) => {
        throw error;
      });
      handler = provider.callback();
    },
    close: () => close(server),
  };
}

async function signingKeys() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { keys: [{ ...(await exportJWK(privateKey)), kid: 'provider-key', alg: 'RS256', use: 'sig' }] };
}

function configuration(callbackUrl: string, jwks: { keys: object[] }): Configuration {
  return {
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      Grant: 3600,
      IdToken: 3600,
      Interaction: 600,
      RefreshToken: 3600,
      Session: 3600,
    },
    jwks: jwks as Configuration['jwks'] & object,
    clients: [
      {
        client_id: UPSTREAM_CLIENT.id,
        client_secret: UPSTREAM_CLIENT.secret,
        redirect_uris: [callbackUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // ID tokens carry the claims themselves, as those of the big providers do.
    conformIdTokenClaims: false,
    cookies: { keys: ['test'] },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: () => true },
    },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    issueRefreshToken: async () => true,
    pkce: { required: () => true },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: `${accountId}@example.com`,
        email_verified: true,
        name: 'Alice',
      }),
    }),
  };
}

type Approval = Parameters<Provider['interactionDetails']>;

async function approve(provider: Provider, request: Approval[0], response: Approval[1]): Promise<void> {
  const { params, session, grantId } = await provider.interactionDetails(request, response);
  const accountId = session?.accountId ?? 'alice';
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = known ?? new provider.Grant({ accountId, clientId: String(params['client_id']) });
  grant.addOIDCScope(String(params['scope'] ?? ''));
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}
