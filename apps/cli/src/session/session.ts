import { createClient, fileToken, type PlatformClient, type TokenSource } from 'platform-service-client';
import { Failure } from '../failure.ts';
import { losslessJson } from '../json.ts';
import type { Terminal } from '../terminal.ts';
import { type Context, type Contexts, contextsFile, readContexts, writeContexts } from './contexts.ts';
import { debugFetch } from './debug-fetch.ts';
import { systemKeyring } from './keyring.ts';

/** The global options that select the platform and the credentials. */
export interface SessionOptions {
  readonly context?: string | undefined;
  readonly url?: string | undefined;
  readonly tokenFile?: string | undefined;
  /** Whether to print every request on standard error. */
  readonly debug?: boolean | undefined;
}

const defaultUrl = 'http://localhost:8080';

/** The platform and credentials of a command: options first, then environment variables, then the current context. */
export class Session {
  readonly #terminal: Terminal;
  readonly options: SessionOptions;
  readonly file: string;
  #warned = false;

  constructor(terminal: Terminal, options: SessionOptions) {
    this.#terminal = terminal;
    this.options = options;
    this.file = contextsFile(terminal);
  }

  /** The stored contexts. */
  get contexts(): Contexts {
    return readContexts(this.file);
  }

  save(contexts: Contexts): void {
    writeContexts(this.file, contexts);
  }

  /** The name of the selected context. */
  get name(): string {
    return this.#named ?? this.contexts.current ?? 'default';
  }

  /** The selected context. Throws a Failure when the user named one that does not exist. */
  get context(): Context | undefined {
    const { contexts } = this;
    const named = this.#named;
    const found = Object.hasOwn(contexts.contexts, this.name) ? contexts.contexts[this.name] : undefined;
    if (named !== undefined && found === undefined) {
      throw new Failure('notFound', `context ${named} does not exist`, 'platform contexts lists them');
    }
    return found;
  }

  /** The address of the platform. */
  get url(): string {
    // An option counts more than a variable: otherwise a command for one platform would go to another.
    if (this.options.url === undefined && this.options.context !== undefined)
      return this.context?.url ?? defaultUrl;
    return this.options.url ?? this.#variable('PLATFORM_URL') ?? this.context?.url ?? defaultUrl;
  }

  /** The source of the token, when it is not the login of the context: an option or a variable. */
  get credential(): string | undefined {
    if (this.options.tokenFile !== undefined) return `the token file ${this.options.tokenFile}`;
    if (this.#hasLoginOfOption) return undefined;
    return ['PLATFORM_TOKEN_FILE', 'PLATFORM_TOKEN'].find((name) => this.#variable(name) !== undefined);
  }

  /** A client with the user's credentials. Throws a Failure when there are none. */
  client(): PlatformClient {
    // Reports an invalid URL before missing credentials.
    this.clientWith(undefined);
    return this.clientWith(this.#token());
  }

  /** The user's token. Throws a Failure when there is none. */
  async token(): Promise<string> {
    const source = this.#token();
    return typeof source === 'string' ? source : await source.token();
  }

  /** A client with the given token or without one. `url` selects another platform. */
  clientWith(token: string | TokenSource | undefined, url: string = this.url): PlatformClient {
    if (token !== undefined) this.#warnOfPlainHttp(url);
    try {
      return createClient({
        baseUrl: url,
        ...(token === undefined ? {} : { token }),
        json: losslessJson,
        userAgent: 'platform-cli',
        ...(this.#isDebugging ? { fetch: debugFetch(this.#terminal) } : {}),
        timers: this.#terminal.timers,
        // A user is waiting for the answer.
        retry: { attempts: 4, capMs: 5_000 },
      });
    } catch (error) {
      throw new Failure('usage', (error as Error).message, 'expected a URL such as http://localhost:8080');
    }
  }

  /** The context that the user named. */
  get #named(): string | undefined {
    return this.options.context ?? this.#variable('PLATFORM_CONTEXT');
  }

  /** A variable of the environment. An empty one counts as missing: CI systems set those that have no value. */
  #variable(name: string): string | undefined {
    return this.#terminal.env[name] || undefined;
  }

  get #isDebugging(): boolean {
    return this.options.debug === true || Boolean(this.#terminal.env['PLATFORM_DEBUG']);
  }

  // Attack: whoever is on the network path reads the token and uses it until it expires.
  #warnOfPlainHttp(url: string): void {
    if (this.#warned || !URL.canParse(url)) return;
    const { protocol, hostname } = new URL(url);
    if (protocol !== 'http:' || /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return;
    this.#warned = true;
    this.#terminal.err(`warning: sending the token to ${hostname} unencrypted; use https\n`);
  }

  /** Whether `--context` names a context with a login, which then counts more than tokens of the environment. */
  get #hasLoginOfOption(): boolean {
    const name = this.options.context;
    if (name === undefined) return false;
    const { contexts } = this.contexts;
    const named = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
    return named?.token !== undefined || named?.keyring === true;
  }

  /** The token of the environment. */
  #givenToken(): string | TokenSource | undefined {
    if (this.#hasLoginOfOption) return undefined;
    const file = this.#variable('PLATFORM_TOKEN_FILE');
    return file === undefined ? this.#variable('PLATFORM_TOKEN') : fileToken(file);
  }

  #token(): string | TokenSource {
    const { timers } = this.#terminal;
    const { tokenFile } = this.options;
    const given = tokenFile === undefined ? this.#givenToken() : fileToken(tokenFile);
    if (given !== undefined) return given;
    const { context } = this;
    if (context?.token === undefined && context?.keyring !== true)
      throw new Failure('unauthenticated', `not logged in at ${this.url}`, 'log in with: platform login');
    // Attack: --url or PLATFORM_URL names another server, which would receive the session of this one.
    if (new URL(context.url).origin !== originOf(this.url)) {
      throw new Failure(
        'unauthenticated',
        `the login of context ${this.name} is for ${context.url}, not for ${this.url}`,
        `log in with: platform login --url ${this.url}`,
      );
    }
    if (context.expires !== undefined && Date.parse(context.expires) <= timers.now()) {
      throw new Failure(
        'unauthenticated',
        `the session at ${this.url} has expired`,
        'log in with: platform login',
      );
    }
    const token = this.tokenOf(this.name, context);
    if (token !== undefined) return token;
    throw new Failure(
      'unauthenticated',
      `the keyring does not contain the login of context ${this.name}`,
      'unlock it, or log in again with: platform login',
    );
  }

  /** The stored token of a context: in the file, or in the keyring. */
  tokenOf(name: string, { token, keyring, url }: Context): string | undefined {
    return keyring === true ? systemKeyring(this.#terminal)?.find(accountOf(name, url)) : token;
  }

  /** Stores a login: the token goes into the keyring of the system where there is one. */
  saveLogin(
    name: string,
    { token, ...context }: Context & { readonly token: string },
    insecure: boolean,
  ): void {
    const inKeyring =
      !insecure && systemKeyring(this.#terminal)?.store(accountOf(name, context.url), token) === true;
    const stored = inKeyring ? { ...context, keyring: true as const } : { ...context, token };
    this.save({ current: name, contexts: { ...this.contexts.contexts, [name]: stored } });
  }

  /** Deletes the token of a context from the keyring. */
  forget(name: string, { keyring, url }: Context): void {
    if (keyring === true) systemKeyring(this.#terminal)?.delete(accountOf(name, url));
  }
}

function accountOf(name: string, url: string): string {
  return `${name} ${url}`;
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
