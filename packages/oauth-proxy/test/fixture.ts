import { fakeClock, recordingLogger } from '@platform/development/testing';
import { createMemoryAuthorizationCodeStore } from '@platform/kernel/conformance';
import {
  completeLogin,
  createClientSecret,
  issueTokens,
  type ProxyExtension,
  type ProxyPorts,
  startLogin,
} from '../src/index.ts';
import { anExtension, countedBytes, FakeUpstream, openSealer } from './fakes.ts';

export const VERIFIER = 'a'.repeat(43);
/** The S256 challenge of {@link VERIFIER}, from the formula of RFC 7636 appendix B run with openssl. */
export const CHALLENGE = 'ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA';
export const APP = 'http://localhost:3000/cb';

/** A proxy with one extension, `shop/login`, on fakes. */
export class Fixture {
  readonly upstream = new FakeUpstream();
  readonly clock = fakeClock();
  readonly logger = recordingLogger();
  readonly states = createMemoryAuthorizationCodeStore();
  readonly codes = createMemoryAuthorizationCodeStore();
  readonly random = countedBytes();
  readonly secret: string;
  extension: ProxyExtension;
  /** The cookie of the browser that logs in. */
  browser: string | null = null;
  /** Whether the extension is deleted while its request runs. */
  isDeleted = false;
  readonly ports: ProxyPorts;

  constructor(changes: Partial<ProxyExtension> = {}) {
    const { secret, stored } = createClientSecret(
      { random: this.random, sealer: openSealer, clock: this.clock },
      anExtension(),
    );
    this.secret = secret;
    this.extension = anExtension({ clientSecrets: [stored], ...changes });
    this.ports = {
      publicUrl: 'https://platform.example',
      extensions: {
        find: async (project, extension) =>
          project === this.extension.project && extension === this.extension.extension
            ? this.extension
            : null,
      },
      states: this.states,
      codes: this.codes,
      upstream: this.upstream,
      signer: {
        sign: async (_extensionUid, claims) => (this.isDeleted ? null : `signed ${JSON.stringify(claims)}`),
        publicKeys: async () => [{ kty: 'RSA', kid: 'ours', n: 'n', e: 'AQAB' }],
      },
      sealer: openSealer,
      clock: this.clock,
      random: this.random,
      logger: this.logger,
    };
  }

  get name() {
    return { project: 'shop', extension: 'login' };
  }

  /** Starts a login; returns the URL at the upstream. */
  async authorize(query: Record<string, string> = {}): Promise<URL> {
    const { browser } = this;
    const begun = await startLogin(this.ports, this.name, {
      parameters: new Map(Object.entries(query)),
      browser,
    });
    this.browser = begun.browser;
    return new URL(begun.location);
  }

  /** Comes back from the upstream; returns the URL in the app. */
  async callback(query: Record<string, string>): Promise<URL> {
    const request = { parameters: new Map(Object.entries(query)), browser: this.browser, opensPage: true };
    return new URL(await completeLogin(this.ports, this.name, request));
  }

  /** Logs in and returns the URL in the app. */
  async login(query: Record<string, string> = {}): Promise<URL> {
    const upstream = await this.authorize({ redirect_uri: APP, state: 'app state', ...query });
    return this.callback({ code: 'upstream code', state: upstream.searchParams.get('state') ?? '' });
  }

  /** Logs in and returns the code of the proxy. */
  async code(query: Record<string, string> = {}): Promise<string> {
    return (await this.login(query)).searchParams.get('code') ?? '';
  }

  /** Posts to the token endpoint, with client id and secret unless told otherwise; null leaves a member out. */
  async token(form: Record<string, string | null>, authorization?: string): Promise<Record<string, unknown>> {
    const whole = { client_id: 'shop-login', client_secret: this.secret, ...form };
    const pairs = Object.entries(whole).filter((pair): pair is [string, string] => pair[1] !== null);
    return issueTokens(this.ports, this.name, { parameters: new Map(pairs), authorization });
  }
}
