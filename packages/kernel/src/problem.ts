import { type ProblemCode, problemCodes } from './problem-codes.ts';

/** The kind of a fault, by the names of the API of Kubernetes. A fault without one is `FieldValueInvalid`. */
export type FaultReason =
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueRequired'
  | 'FieldValueTypeInvalid';

/** One fault of a request: its place as a JSON pointer (RFC 6901), and a message for a person. */
export interface Fault {
  readonly path: string;
  readonly message: string;
  /** Shown by the Kubernetes API only. */
  readonly reason?: FaultReason;
}

/** Optional parts of a problem. */
export interface ProblemOptions {
  /** Every fault of the request. */
  readonly errors?: readonly Fault[];
  /** Extension members of the RFC 9457 response, e.g. `currentRevision`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** The allowed methods; sent as `Allow` with a 405. */
  readonly allow?: readonly string[];
  /** The seconds until a retry; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** The cause; logged, never sent. */
  readonly cause?: unknown;
}

/**
 * The error that rules and use cases throw, with a stable code (RFC 9457). The caller sees `detail`, so it must not contain secrets, SQL
 * or a stack.
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

/** The most faults of one answer. Attack: a body of 60,000 unknown members, which is answered by three megabytes of faults. */
export const maxFaults = 1_000;

/** The end of a detail that names the first of so many faults: how many more there are, at least. */
export function andMoreFaults(count: number): string {
  if (count <= 1) return '';
  return ` (and ${count > maxFaults ? 'at least ' : ''}${count - 1} more)`;
}

/** Creates a problem that lists every fault, up to a bound, and says how many more there are, at least; `faults` must not be empty. */
export function invalid(faults: readonly Fault[], code: ProblemCode = 'validation_failed'): Problem {
  const first = faults[0];
  const more = andMoreFaults(faults.length);
  const detail =
    first === undefined ? 'The request is invalid.' : `${first.path || 'body'}: ${first.message}${more}`;
  return new Problem(code, detail, { errors: firstFaults(faults.slice(0, maxFaults)) });
}

/** Characters of the faults of one answer, at most. */
const maxFaultText = 1024 * 1024;

/**
 * The first of these faults that an answer has room for, at least one. Attack: a thousand faulty values below a name of half a megabyte, which
 * is in the path of each.
 */
export function firstFaults(faults: readonly Fault[]): readonly Fault[] {
  let room = maxFaultText;
  const end = faults.findIndex(({ path, message }, index) => {
    room -= path.length + message.length;
    return index > 0 && room < 0;
  });
  return end === -1 ? faults : faults.slice(0, end);
}
