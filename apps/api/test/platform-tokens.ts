import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createJsonWebTokens, createRsaKeyRing, readSigningSecret } from '@platform/crypto';
import type { Clock, LogFields, Logger } from '@platform/kernel';
import { createJwksKeys, createProviderDocuments } from '@platform/oidc-client';
import { createOutbound } from '@platform/outbound-http';
import {
  type ControllerEntry,
  createAuthenticator,
  createRoles,
  createTokenIssuer,
  createTrustedIssuers,
  exchangeToken,
  type ServiceAccountRecord,
} from '@platform/tokens';
import express from 'express';
import { mountEndpoints } from '../src/endpoint/mount.ts';
import { createAuthorize } from '../src/http/authorize.ts';
import { errorHandler } from '../src/http/error-handler.ts';
import { requestContext } from '../src/http/request-context.ts';
import { bindAuth } from '../src/routes/auth/index.ts';
import { bodyLimitOnly } from './fakes.ts';

/** One for all: making it takes longer than a test. */
const ring = createRsaKeyRing({});

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** The options of `startPlatform`. */
export interface PlatformOptions {
  readonly clock: Clock;
  readonly controllers?: readonly ControllerEntry[];
  readonly accounts?: readonly ServiceAccountRecord[];
  /** Origins that the platform may reach although they are on loopback. */
  readonly reaches?: readonly string[];
  readonly bodyLimit?: number;
  /** Makes the look-up of accounts fail, as an unreachable database does. */
  readonly broken?: Error;
}

/** The token endpoints with every adapter behind them, served on a free port of loopback. */
export async function startPlatform(options: PlatformOptions) {
  const { clock, controllers = [], accounts = [], reaches = [], bodyLimit = 1_048_576, broken } = options;
  const app = express();
  const server = createServer(app);
  const publicUrl = await listen(server);

  const signatures = createJsonWebTokens({
    secrets: [readSigningSecret(randomBytes(32).toString('base64'))],
    ring,
  });
  const serviceAccounts = {
    async findByEmail(email: string) {
      if (broken !== undefined) throw broken;
      return accounts.find((account) => account.email === email);
    },
    listByIssuer: async (project: string, issuer: string) =>
      accounts.filter((account) => account.project === project && account.issuerUrl === issuer),
    hasIssuer: async (issuer: string) => accounts.some((account) => account.issuerUrl === issuer),
  };
  const directory = { entries: () => controllers };
  const outbound = createOutbound({ allowInsecureOrigins: reaches, platformUrl: publicUrl });
  const externalKeys = createJwksKeys({
    documents: createProviderDocuments({ outbound, clock }),
    logger: silent,
    trustedIssuers: createTrustedIssuers({ issuer: publicUrl, controllers: directory, serviceAccounts }),
  });
  const verification = { issuer: publicUrl, externalKeys, signatures, clock };
  const tokens = createTokenIssuer({
    issuer: publicUrl,
    lifetimes: { session: 86_400, access: 600, ingress: 3600, workload: 3600, id: 3600 },
    signer: signatures,
    clock,
    random: { bytes: (length) => randomBytes(length) },
  });
  const authenticator = createAuthenticator({
    ...verification,
    controllers: directory,
    serviceAccounts,
    roles: createRoles([], []),
    endedSessions: { hasEnded: () => false },
    allowRawExternalTokens: true,
    onRawExternalToken: () => {},
  });
  const log: LogFields[] = [];
  const exchange = (parameters: Parameters<typeof exchangeToken>[1]) =>
    exchangeToken({ ...verification, controllers: directory, serviceAccounts, tokens }, parameters);
  app.use(requestContext);
  const limits = bodyLimitOnly(bodyLimit);
  mountEndpoints(app, bindAuth({ publicUrl, jwks: ring.jwks, exchange, limits }), {
    authorize: createAuthorize(authenticator, { name: 'platform_session', origin: publicUrl }),
    limits,
    bodyLimitBytes: bodyLimit,
  });
  app.use(errorHandler({ ...silent, error: (_message, fields = {}) => log.push(fields) }));
  return { publicUrl, tokens, authenticator, log, close: () => close(server) };
}

/** An external issuer on loopback whose documents the test writes. */
export async function startIssuer() {
  const documents = new Map<string, unknown>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const document = documents.get(request.url ?? '');
    response.writeHead(document === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  const url = await listen(server);
  documents.set('/.well-known/openid-configuration', { issuer: url, jwks_uri: `${url}/${randomUUID()}` });
  const { jwks_uri: jwksUri } = documents.get('/.well-known/openid-configuration') as { jwks_uri: string };
  const publish = (...keys: readonly unknown[]) => documents.set(new URL(jwksUri).pathname, { keys });
  return { url, requests, publish, close: () => close(server) };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
