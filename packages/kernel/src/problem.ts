import { type ProblemCode, problemCodes } from './problem-codes.ts';

/** One fault of a request: where it is (a JSON pointer, RFC 6901) and what is wrong, for a person. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** What a problem may carry beyond its code and detail. */
export interface ProblemOptions {
  /** Every fault of the request, not just the first. */
  readonly errors?: readonly Fault[];
  /** Further members of the RFC 9457 answer, e.g. `currentRevision`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** The methods that the path does have; sent as `Allow` with a 405. */
  readonly allow?: readonly string[];
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** What brought it about; logged, never sent. */
  readonly cause?: unknown;
}

/**
 * The one error that rules and use cases throw on purpose: a refusal with a stable code.
 * `detail` is shown to the caller, so it must hold no secret, no SQL and no stack.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly errors: readonly Fault[] | undefined;
  readonly members: Readonly<Record<string, unknown>>;
  readonly allow: readonly string[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.members = options.members ?? {};
    this.allow = options.allow;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return problemCodes[this.code].status;
  }
}

/** A refusal that lists every fault that was found; `faults` must not be empty. */
export function invalid(faults: readonly Fault[], code: ProblemCode = 'validation_failed'): Problem {
  const first = faults[0];
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const detail =
    first === undefined ? 'The request is invalid.' : `${first.path || 'body'}: ${first.message}${more}`;
  return new Problem(code, detail, { errors: faults });
}
