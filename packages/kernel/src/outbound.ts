/** One request to a URL that a user or a tenant chose. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Names are case-insensitive. `Host` and everything that frames the message are set by the module. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** The whole answer. Redirects and compressed bodies never get here. */
export interface OutboundResponse {
  readonly status: number;
  /** Names in lower case; a repeated header's values are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * The guarded way out: every request to a URL that a user or a tenant chose goes through it.
 * HTTPS only, no private addresses, no redirects, bounded time and size.
 */
export interface Outbound {
  /**
   * Sends the request and reads the whole answer, whatever its status below 300 or from 400 on.
   * Throws {@link OutboundRefused} when nothing was sent, {@link OutboundFailed} when the exchange went wrong.
   */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** GET of a JSON document; anything but a 200 with JSON in it is an {@link OutboundFailed}. */
  getJson(url: string): Promise<unknown>;
}

/** Why a URL was refused. Nothing was sent. */
export type OutboundRefusal =
  | 'bad_url'
  | 'not_https'
  | 'credentials_in_url'
  | 'platform_itself'
  | 'refused_address'
  | 'bad_header';

/** Why an exchange that was allowed did not yield an answer. */
export type OutboundFailure =
  | 'unresolvable'
  | 'unreachable'
  | 'bad_tls'
  | 'timeout'
  | 'too_large'
  | 'redirect'
  | 'compressed'
  | 'bad_response'
  | 'bad_status'
  | 'bad_json';

/** The URL may not be requested. The message names the origin only: paths and queries can hold secrets. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused';
  readonly reason: OutboundRefusal;

  constructor(reason: OutboundRefusal, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** The request could not be completed. The message names the origin only: paths and queries can hold secrets. */
export class OutboundFailed extends Error {
  override readonly name = 'OutboundFailed';
  readonly reason: OutboundFailure;

  constructor(reason: OutboundFailure, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.reason = reason;
  }
}
