import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createIdTokenSigner, createSealer } from '@platform/crypto';
import { recordingLogger, timeoutFactor } from '@platform/development/testing';
import type { AuthorizationCodeStore, Clock, Sealer } from '@platform/kernel';
import { createMemoryAuthorizationCodeStore } from '@platform/kernel/conformance';
import {
  clientIdOf,
  createClientSecret,
  issuerOf,
  type OAuthExtensionSpec,
  type ProxyExtension,
  type SigningKeyStore,
  upstreamSecretContext,
} from '@platform/oauth-proxy';
import { createMemorySigningKeyStore } from '@platform/oauth-proxy/conformance';
import { createProviderDocuments, createUpstream } from '@platform/oidc-client';
import { createOutbound } from '@platform/outbound-http';
import express from 'express';
import { bind } from '../../src/endpoint/descriptor.ts';
import { mountEndpoints } from '../../src/endpoint/mount.ts';
import { createAuthorize } from '../../src/http/authorize.ts';
import { errorHandler } from '../../src/http/error-handler.ts';
import { requestContext } from '../../src/http/request-context.ts';
import { createRateLimiter } from '../../src/process/rate-limiter.ts';
import { oauthEndpoints } from '../../src/routes/oauth/index.ts';
import { bodyLimitOnly, fakeAuthenticator } from '../fakes.ts';
import { close, listen } from './loopback.ts';
import { UPSTREAM_CLIENT } from './upstream-client.ts';

/** A clock that runs with the machine's and can be moved ahead: the upstream's tokens are of the real time. */
export class ShiftedClock implements Clock {
  shiftMs = 0;
  now(): number {
    return Date.now() + this.shiftMs;
  }
}

/** The keys of the proxy, made once for a test file. */
const sealerOfFile = createSealer([{ id: 'k1', key: randomBytes(32).toString('base64') }]);
const keysOfFile = createMemorySigningKeyStore();

/** The settings that two replicas share. */
export interface SharedParts {
  readonly states: AuthorizationCodeStore;
  readonly codes: AuthorizationCodeStore;
  readonly keys: SigningKeyStore;
  readonly sealer: Sealer;
  readonly clock: ShiftedClock;
  readonly extensions: Map<string, ProxyExtension>;
}

/** The options of a platform for tests. */
export interface PlatformOptions {
  readonly shared?: Partial<SharedParts>;
  /** `server.public_url`; its own address unless given. */
  readonly publicUrl?: string;
  /** Origins of upstreams, which are on loopback here. */
  readonly upstreams: readonly string[];
  readonly timeoutMs?: number;
  readonly perMinute?: number;
}

/** The proxy endpoints with every adapter behind them, served on a free port of loopback. */
export async function startPlatform(options: PlatformOptions) {
  const app = express();
  app.set('query parser', false);
  app.set('trust proxy', ['loopback']);
  const server = createServer(app);
  const own = await listen(server);
  const publicUrl = options.publicUrl ?? own;
  const shared: SharedParts = {
    states: createMemoryAuthorizationCodeStore(),
    codes: createMemoryAuthorizationCodeStore(),
    keys: keysOfFile,
    sealer: sealerOfFile,
    clock: new ShiftedClock(),
    extensions: new Map(),
    ...options.shared,
  };
  const { states, codes, keys, sealer, clock, extensions } = shared;
  const log = recordingLogger();
  const outbound = createOutbound({
    allowInsecureOrigins: options.upstreams,
    platformUrl: publicUrl,
    timeoutMs: options.timeoutMs ?? 5_000 * timeoutFactor,
  });
  const random = { bytes: (length: number) => randomBytes(length) };
  const endpoints = bind(oauthEndpoints, {
    ports: {
      publicUrl,
      extensions: { find: async (project, extension) => extensions.get(`${project}/${extension}`) ?? null },
      states,
      codes,
      upstream: createUpstream({
        documents: createProviderDocuments({ outbound, clock }),
        outbound,
        clock,
        insecureOrigins: options.upstreams,
      }),
      signer: createIdTokenSigner({ store: keys, sealer, clock }),
      sealer,
      clock,
      random,
      logger: log,
    },
    limiter: createRateLimiter({ clock, perMinute: options.perMinute ?? 10_000, namesAtOnce: 4 }),
    cookies: { secure: publicUrl.startsWith('https:') },
  });
  app.use(requestContext);
  mountEndpoints(app, endpoints, {
    authorize: createAuthorize(fakeAuthenticator, { name: 'platform_session', origin: publicUrl }),
    limits: bodyLimitOnly(65_536),
    bodyLimitBytes: 65_536,
  });
  app.use(errorHandler(log));

  /** Registers an extension, and returns what the app gets to know of it. */
  function extend(
    name: { project: string; extension: string },
    spec: Partial<OAuthExtensionSpec>,
    changes: Partial<ProxyExtension> = {},
  ) {
    const uids = { projectUid: randomUUID(), extensionUid: randomUUID() };
    const { secret, stored } = createClientSecret({ random, sealer, clock }, uids);
    const whole: ProxyExtension = {
      ...uids,
      ...name,
      projectUrl: `http://${name.project}.localhost:3000`,
      customDomains: [],
      spec: {
        provider_name: 'Test',
        client_id: UPSTREAM_CLIENT.id,
        issuer_url: options.upstreams[0] ?? '',
        ...spec,
      },
      sealedUpstreamSecret: sealer.seal(UPSTREAM_CLIENT.secret, upstreamSecretContext(uids)),
      clientSecrets: [stored],
      ...changes,
    };
    extensions.set(`${name.project}/${name.extension}`, whole);
    const issuer = issuerOf(publicUrl, name);
    return {
      issuer,
      callbackUrl: `${issuer}/callback`,
      clientId: clientIdOf(name),
      secret,
      extension: whole,
    };
  }

  return { publicUrl, own, shared, log, extend, close: () => close(server) };
}

/** A platform for tests. */
export type TestPlatform = Awaited<ReturnType<typeof startPlatform>>;
/** The facts that an app knows about its extension. */
export type TestApp = ReturnType<TestPlatform['extend']>;

/** A provider, a platform and one extension, `shop/login`, that connects them. */
export async function startFixture(
  startProvider: typeof import('./provider.ts').startProvider,
  options: Partial<PlatformOptions> = {},
) {
  const provider = await startProvider();
  const platform = await startPlatform({ upstreams: [provider.issuer], ...options });
  const app = platform.extend({ project: 'shop', extension: 'login' }, {});
  await provider.register(app.callbackUrl);
  return {
    provider,
    platform,
    app,
    close: async () => {
      await Promise.all([provider.close(), platform.close()]);
    },
  };
}
