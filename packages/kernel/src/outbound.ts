/** A request to a URL that a user or a tenant chose. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Names are case-insensitive. The module sets `Host` and the headers that frame the message. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Only the status and the headers are wanted: the body of the response is empty, whatever was sent. */
  readonly ignoresBody?: boolean;
}

/** A complete response. A compressed body is an error instead. */
export interface OutboundResponse {
  readonly status: number;
  /** Names are in lower case; the values of a repeated header are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * The guarded outbound module: every request to a URL that a user or a tenant chose goes through it. Allows only HTTPS and public
 * addresses, follows no redirects, and limits time and size (docs/security.md).
 */
export interface Outbound {
  /**
   * Sends the request and returns the response, whatever its status. A redirect is a response like any other: it is not followed.
   * Throws {@link OutboundRefusedError} if the request may not be sent, {@link OutboundError} if it failed.
   */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** Returns a JSON document. Throws {@link OutboundError} unless the response is a 200 with JSON. */
  getJson(url: string): Promise<unknown>;
}

/** The reason for rejecting a request before it is sent. */
export type OutboundRefusal =
  | 'bad_url'
  | 'not_https'
  | 'credentials_in_url'
  | 'platform_itself'
  | 'refused_address'
  | 'bad_header';

/** The reason for a failed request. */
export type OutboundFailure =
  | 'unresolvable'
  | 'unreachable'
  | 'bad_tls'
  | 'timeout'
  | 'too_large'
  | 'compressed'
  | 'bad_response'
  | 'bad_status'
  | 'bad_json';

/** The request may not be sent. The message contains only the origin, because paths and queries can contain secrets. */
export class OutboundRefusedError extends Error {
  override readonly name = 'OutboundRefusedError';
  readonly reason: OutboundRefusal;

  constructor(reason: OutboundRefusal, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** The request failed. The message contains only the origin, because paths and queries can contain secrets. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: OutboundFailure;

  constructor(reason: OutboundFailure, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.reason = reason;
  }
}
