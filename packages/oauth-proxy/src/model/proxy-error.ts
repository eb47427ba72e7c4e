/** The `error` values that the proxy answers (RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750 3.1, OpenID Connect Core 3.1.2.6). */
export type ProxyErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_token'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'server_error'
  | 'temporarily_unavailable';

/** What a {@link ProxyError} may carry beyond its code and description. */
export interface ProxyErrorOptions {
  /** The HTTP status; 400 unless told (RFC 6749, section 5.2). */
  readonly status?: number;
  /** Sent as `WWW-Authenticate`. */
  readonly challenge?: string;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** What a person can do about it; shown on the error page. */
  readonly remedy?: string;
  /** What brought it about; logged, never sent. */
  readonly cause?: unknown;
}

/**
 * A refusal of a proxy endpoint, answered as `{error, error_description}`. The description is shown to strangers,
 * so it must hold no secret; RFC 6749 allows printable ASCII without `"` and `\` only.
 */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: ProxyErrorCode;
  readonly status: number;
  readonly challenge: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly remedy: string | undefined;

  constructor(code: ProxyErrorCode, description: string, options: ProxyErrorOptions = {}) {
    super(description, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? 400;
    this.challenge = options.challenge;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.remedy = options.remedy;
  }

  /** The JSON body of RFC 6749, section 5.2. */
  get body(): { readonly error: ProxyErrorCode; readonly error_description: string } {
    return { error: this.code, error_description: this.message };
  }
}
