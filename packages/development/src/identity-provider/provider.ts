import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Configuration, Provider } from 'oidc-provider';
import { interact, interactionPrefix } from './interaction.ts';
import type { Person } from './people.ts';

/** The settings of the development identity provider. */
export interface DevelopmentOptions {
  /** 0 chooses a free port. Issuer and users stay the same only while the port does. */
  readonly port: number;
  /** Where it listens in a container, and its address there. Publish its port on loopback only. */
  readonly elsewhere?: { readonly host: string; readonly issuer: string };
  readonly clientId: string;
  readonly clientSecret: string;
  /** The platform's callback. */
  readonly redirectUris: readonly string[];
  /** A second client, which takes every redirect URI that `allows` says yes to. */
  readonly apps?: AppsClient;
  readonly people: readonly Person[];
  /** Whether a person who is logged in skips the login form, as at most providers. Default: false. */
  readonly remembers?: boolean;
}

/** The client of logins whose redirect URIs are not known when the provider starts. */
export interface AppsClient {
  readonly clientId: string;
  readonly clientSecret: string;
  allows(redirectUri: string): boolean;
}

/** A running provider. */
export interface DevelopmentIdentityProvider {
  readonly issuer: string;
  close(): Promise<void>;
}

/**
 * Starts an OpenID provider for development on 127.0.0.1 (npm oidc-provider). Anybody who can reach it can be anybody in it, so
 * it listens nowhere else unless it is told to.
 */
export async function startDevelopmentIdentityProvider(
  options: DevelopmentOptions,
): Promise<DevelopmentIdentityProvider> {
  const server = createServer();
  const { host = '127.0.0.1', issuer: address } = options.elsewhere ?? {};
  const port = await listen(server, options.port, host);
  const issuer = address ?? `http://${host}:${port}`;
  const provider = await withoutWarnings(() => createProvider(issuer, options));
  if (options.apps !== undefined) allowRedirects(provider, options.apps);
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith(interactionPrefix)) {
      if (!options.remembers && request.url?.startsWith('/auth?')) forgetSession(request, response);
      handle(request, response);
      return;
    }
    interact(provider, options.people, request, response).catch(() => {
      response.statusCode = 400;
      response.end('This login has expired; start again.');
    });
  });
  return { issuer, close: () => close(server) };
}

async function createProvider(issuer: string, options: DevelopmentOptions): Promise<Provider> {
  // Loaded here, because it is large and the embedded PostgreSQL of the same package does not need it.
  const { default: Provider } = await import('oidc-provider');
  return new Provider(issuer, configure(options));
}

/** oidc-provider warns that its data is in memory, which is intended here, and about the version of Node.js. */
async function withoutWarnings<T>(step: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await step();
  } finally {
    console.warn = warn;
  }
}

/** Each login begins without a session, so that who to be is asked each time: changing it must not need another browser. */
function forgetSession(request: IncomingMessage, response: ServerResponse): void {
  delete request.headers.cookie;
  response.setHeader('Set-Cookie', ['_session=; Path=/; Max-Age=0', '_session.sig=; Path=/; Max-Age=0']);
}

/** The hook that oidc-provider has for redirect URIs by pattern. */
function allowRedirects(provider: Provider, { clientId, allows }: AppsClient): void {
  const { prototype } = provider.Client;
  const registered = prototype.redirectUriAllowed;
  prototype.redirectUriAllowed = function (redirectUri) {
    return this.clientId === clientId ? allows(redirectUri) : registered.call(this, redirectUri);
  };
}

function configure(options: DevelopmentOptions): Configuration {
  const { clientId, clientSecret, redirectUris, apps, people } = options;
  const clients = [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [...redirectUris] }];
  if (apps !== undefined)
    // The address is never used: `allowRedirects` decides.
    clients.push({
      client_id: apps.clientId,
      client_secret: apps.clientSecret,
      redirect_uris: ['http://localhost/'],
    });
  return {
    clients,
    // Sessions and codes live in memory, and so do the keys: they end with the process.
    jwks: { keys: [signingKey()] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `${interactionPrefix}${uid}` },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    // The claims stand in the ID token itself, as they do at most providers.
    conformIdTokenClaims: false,
    ttl: {
      Interaction: 600,
      Session: 86_400,
      Grant: 86_400,
      AccessToken: 3600,
      IdToken: 3600,
      AuthorizationCode: 60,
    },
    findAccount: (_context, subject) => {
      const person = people.find((candidate) => candidate.subject === subject);
      if (person === undefined) return undefined;
      const { email, name, groups, emailVerified = true } = person;
      return {
        accountId: subject,
        claims: () => ({ sub: subject, email, email_verified: emailVerified, name, groups: [...groups] }),
      };
    },
  };
}

function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
