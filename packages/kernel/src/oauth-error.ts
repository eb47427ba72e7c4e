/**
 * Every `error` value of the OAuth endpoints, with its usual HTTP status (RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750 section 3.1,
 * RFC 7009 section 2.2.1, RFC 8628 section 3.5, OpenID Connect Core section 3.1.2.6).
 */
export const oauthErrorCodes = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  unsupported_token_type: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  invalid_scope: 400,
  login_required: 400,
  access_denied: 403,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  invalid_token: 401,
  server_error: 500,
  temporarily_unavailable: 503,
} as const satisfies Record<string, number>;

/** A code of {@link oauthErrorCodes}. */
export type OAuthErrorCode = keyof typeof oauthErrorCodes;

/** Optional parts of an {@link OAuthError}. */
export interface OAuthErrorOptions {
  /** The HTTP status, if it is not the usual one of the code. */
  readonly status?: number;
  /** Sent as `WWW-Authenticate`. */
  readonly challenge?: string;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Advice for the user; shown on the error page. */
  readonly remedy?: string;
  /** The original error; logged, never sent. */
  readonly cause?: unknown;
}

/**
 * An error of an OAuth endpoint, answered as `{error, error_description}` instead of problem+json. The description is shown to
 * the caller, so it must hold no secret; RFC 6749 allows printable ASCII without `"` and `\` only.
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly challenge: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly remedy: string | undefined;

  constructor(code: OAuthErrorCode, description: string, options: OAuthErrorOptions = {}) {
    super(description, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? oauthErrorCodes[code];
    this.challenge = options.challenge;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.remedy = options.remedy;
  }

  /** The JSON body of RFC 6749 section 5.2, whose description has no other characters than that section allows. */
  get body(): { readonly error: OAuthErrorCode; readonly error_description: string } {
    const allowed = this.message.replaceAll('"', "'").replace(/[^\x20-\x5B\x5D-\x7E]/gu, '?');
    return { error: this.code, error_description: allowed };
  }
}
