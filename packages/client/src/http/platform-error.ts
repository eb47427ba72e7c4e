/** One invalid field of a request: a JSON pointer into the body, and the reason. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** The members of a problem document (RFC 9457). */
export interface ErrorMembers {
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly type?: string;
  readonly title?: string;
  readonly instance?: string;
  readonly requestId?: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** All members of the response, including further ones such as `currentRevision`. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/**
 * The only error of this client. Programs should check `code`: a problem code of the platform (docs/errors.md), an OAuth `error`,
 * `unreachable` or `timeout` (no response; see `cause`), `unexpected_answer` (the response did not come from the platform, or is no JSON),
 * `no_token` (a token file is unusable) or `lossy_number` (see `update`).
 */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly type: string | undefined;
  readonly title: string | undefined;
  readonly instance: string | undefined;
  /** Every log line of the request contains it. */
  readonly requestId: string | undefined;
  /** Every invalid field of the request. */
  readonly errors: readonly FieldError[];
  /** The value of `Retry-After` in seconds. */
  readonly retryAfterSeconds: number | undefined;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(members: ErrorMembers, options?: ErrorOptions) {
    super(`${members.code}: ${members.detail}`, options);
    this.status = members.status;
    this.code = members.code;
    this.detail = members.detail;
    this.type = members.type;
    this.title = members.title;
    this.instance = members.instance;
    this.requestId = members.requestId;
    this.errors = members.errors ?? [];
    this.retryAfterSeconds = members.retryAfterSeconds;
    this.members = members.members ?? {};
  }
}

/** Whether `error` is a {@link PlatformError}; if codes are given, with one of them. */
export function isPlatformError(error: unknown, ...codes: readonly string[]): error is PlatformError {
  return error instanceof PlatformError && (codes.length === 0 || codes.includes(error.code));
}

/** Converts an error response: problem+json (RFC 9457) or OAuth (RFC 6749 section 5.2). */
export function errorOf(status: number, headers: Headers, text: string, now: number): PlatformError {
  const members = readObject(text);
  const string = (name: string) => (typeof members[name] === 'string' ? { [name]: members[name] } : {});
  const code = members['code'] ?? members['error'];
  const detail = members['detail'] ?? members['error_description'] ?? members['title'];
  const retryAfter = readRetryAfter(headers.get('retry-after'), now);
  const requestId = members['requestId'] ?? headers.get('x-request-id');
  return new PlatformError({
    status,
    code: typeof code === 'string' ? code : 'unexpected_answer',
    detail: typeof detail === 'string' ? detail : `unexpected response with status ${status}`,
    ...string('type'),
    ...string('title'),
    ...string('instance'),
    ...(typeof requestId === 'string' ? { requestId } : {}),
    ...(Array.isArray(members['errors']) ? { errors: members['errors'] } : {}),
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }),
    members,
  });
}

function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** `Retry-After` in seconds: a number or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
