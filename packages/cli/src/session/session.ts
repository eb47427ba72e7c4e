import { createClient, fileToken, type PlatformClient, type TokenSource } from '@platform/client';
import { Failure } from '../failure.ts';
import { losslessJson } from '../json.ts';
import type { Terminal } from '../terminal.ts';
import { type Context, type Contexts, contextsFile, readContexts, writeContexts } from './contexts.ts';

/** What the options say about which platform is meant, and as whom. */
export interface SessionOptions {
  readonly context?: string | undefined;
  readonly url?: string | undefined;
  readonly tokenFile?: string | undefined;
}

const defaultUrl = 'http://localhost:8080';

/** The platform that a command talks to: options come first, then the environment, then the current context. */
export class Session {
  readonly #terminal: Terminal;
  readonly options: SessionOptions;
  readonly file: string;

  constructor(terminal: Terminal, options: SessionOptions) {
    this.#terminal = terminal;
    this.options = options;
    this.file = contextsFile(terminal);
  }

  /** The contexts that are kept. */
  get contexts(): Contexts {
    return readContexts(this.file);
  }

  save(contexts: Contexts): void {
    writeContexts(this.file, contexts);
  }

  /** The name of the context in use. */
  get name(): string {
    return (
      this.options.context ?? this.#terminal.env['PLATFORM_CONTEXT'] ?? this.contexts.current ?? 'default'
    );
  }

  /** The context in use; one that was named must be there. */
  get context(): Context | undefined {
    const { contexts } = this;
    const named = this.options.context ?? this.#terminal.env['PLATFORM_CONTEXT'];
    const found = Object.hasOwn(contexts.contexts, this.name) ? contexts.contexts[this.name] : undefined;
    if (named !== undefined && found === undefined) {
      throw new Failure('usage', `there is no context ${named}`, 'platform contexts lists them');
    }
    return found;
  }

  /** The address of the platform. */
  get url(): string {
    return this.options.url ?? this.#terminal.env['PLATFORM_URL'] ?? this.context?.url ?? defaultUrl;
  }

  /** A client as whoever is logged in; a Failure when nobody is. */
  client(): PlatformClient {
    // An address that is none is the first thing to be told.
    this.clientWith(undefined);
    return this.clientWith(this.#token());
  }

  /** The token that commands show the platform; a Failure when there is none. */
  async token(): Promise<string> {
    const source = this.#token();
    return typeof source === 'string' ? source : await source.token();
  }

  /** A client with this token, or without any; of another platform when one is named. */
  clientWith(token: string | TokenSource | undefined, url: string = this.url): PlatformClient {
    try {
      return createClient({
        baseUrl: url,
        ...(token === undefined ? {} : { token }),
        json: losslessJson,
        userAgent: 'platform-cli',
        timers: this.#terminal.timers,
        // A person waits.
        retry: { attempts: 4, capMs: 5_000 },
      });
    } catch (error) {
      throw new Failure('usage', (error as Error).message, 'such as http://localhost:8080');
    }
  }

  #token(): string | TokenSource {
    const { env, timers } = this.#terminal;
    const file = this.options.tokenFile ?? env['PLATFORM_TOKEN_FILE'];
    if (file !== undefined) return fileToken(file);
    const given = env['PLATFORM_TOKEN'];
    if (given !== undefined && given !== '') return given;
    const { context } = this;
    if (context?.token === undefined)
      throw new Failure('unauthenticated', `not logged in at ${this.url}`, 'platform login');
    // Attack: --url or PLATFORM_URL names another server, which would be handed the session of this one.
    if (new URL(context.url).origin !== originOf(this.url)) {
      throw new Failure(
        'unauthenticated',
        `the session of context ${this.name} is for ${context.url}`,
        `platform login --url ${this.url}`,
      );
    }
    if (context.expires !== undefined && Date.parse(context.expires) <= timers.now()) {
      throw new Failure('unauthenticated', `the session at ${this.url} is over`, 'platform login');
    }
    return context.token;
  }
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
