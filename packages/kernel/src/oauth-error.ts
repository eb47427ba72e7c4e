/** Every `error` value that an OAuth endpoint of the platform answers, with its HTTP status (RFC 6749 5.2, RFC 6750 3.1). */
export const oauthErrorCodes = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  access_denied: 403,
  invalid_token: 401,
  server_error: 500,
  temporarily_unavailable: 503,
} as const satisfies Record<string, number>;

/** A stable value of {@link oauthErrorCodes}. */
export type OAuthErrorCode = keyof typeof oauthErrorCodes;

/**
 * A refusal of an OAuth endpoint, answered as `{error, error_description}` instead of problem+json.
 * `description` is shown to the caller, so it must hold no secret; RFC 6749 allows it printable ASCII only.
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string, cause?: unknown) {
    super(description, { cause });
    this.code = code;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return oauthErrorCodes[this.code];
  }

  /** The JSON body of RFC 6749 section 5.2. */
  get body(): { readonly error: OAuthErrorCode; readonly error_description: string } {
    return { error: this.code, error_description: this.message };
  }
}
