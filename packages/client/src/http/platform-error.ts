/** One fault of a request: a JSON pointer into the body, and what is wrong there. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** What a {@link PlatformError} is made of: the members of RFC 9457. */
export interface ErrorMembers {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly type?: string;
  readonly title?: string;
  readonly instance?: string;
  readonly requestId?: string;
  readonly errors?: readonly Fault[];
  readonly retryAfterSeconds?: number;
  /** Everything that the answer said, further members such as `currentRevision` included. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/**
 * The one error of this client. `code` is what programs look at: a problem code of the platform, an `error` of OAuth, or one of
 * `unreachable` and `timeout` (no answer came, `cause` says why), `unexpected_answer` (something else than the platform answered)
 * and `lossy_number` (see `update`).
 */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly type: string | undefined;
  readonly title: string | undefined;
  readonly instance: string | undefined;
  /** Quote it when asking for help: it is in every log line of the request. */
  readonly requestId: string | undefined;
  /** Every fault of the request that was found. */
  readonly errors: readonly Fault[];
  /** What `Retry-After` said, in seconds. */
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

/** Whether it is a {@link PlatformError}, with one of the codes when any are given. */
export function isPlatformError(error: unknown, ...codes: readonly string[]): error is PlatformError {
  return error instanceof PlatformError && (codes.length === 0 || codes.includes(error.code));
}

/** The error that an answer with a status of 400 or more stands for: problem+json (RFC 9457) or OAuth (RFC 6749 section 5.2). */
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
    detail: typeof detail === 'string' ? detail : `the answer has the status ${status}`,
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
