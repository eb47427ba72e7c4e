import { PlatformError } from 'platform-service-client';
import type { Exit } from './exit-codes.ts';
import { Failure } from './failure.ts';

const exitsByStatus: Readonly<Record<number, Exit>> = {
  0: 'unavailable',
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'notFound',
  405: 'invalid',
  409: 'conflict',
  413: 'invalid',
  415: 'invalid',
  422: 'invalid',
  429: 'unavailable',
  503: 'unavailable',
};

/** Codes of the client itself, whose status is not specific enough. */
const exitsByCode: Readonly<Record<string, Exit>> = {
  no_token: 'unauthenticated',
  // A proxy that does not reach the platform, or something else at its address.
  unexpected_answer: 'unavailable',
};

const hints: Readonly<Record<string, string>> = {
  unauthenticated: 'log in with: platform login',
  forbidden: 'platform whoami shows who you are',
  unknown_collection: 'platform kinds lists the kinds and their versions',
  revision_conflict: 'the resource was changed at the same time; run the command again',
  definition_in_use: 'first delete its resources; platform get lists them',
  version_in_use: 'first rewrite its resources at the storage version',
  parent_terminating: 'platform pending lists what is being deleted',
  definition_terminating: 'platform pending lists what is being deleted',
  storage_version_required: 'platform kinds marks the storage version with *',
  unreachable: 'check that it is running, or choose another one with --url or platform contexts use',
  timeout: 'check that it is running, or choose another one with --url or platform contexts use',
  unexpected_answer: 'it does not come from a platform; check the address, and the proxies on the way',
  unavailable: 'try again in a moment',
  contention: 'try again in a moment',
};

/**
 * Converts any error to a Failure. `credential` names the source of the token when it is not the login of the current context,
 * such as `PLATFORM_TOKEN`. Unexpected errors keep their message.
 */
export function failureOf(error: unknown, credential?: string): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof PlatformError)) return unexpectedFailure(error);
  const exit = exitsByCode[error.code] ?? exitsByStatus[error.status] ?? 'failed';
  const subject = error.code === 'not_found' ? subjectOf(error) : undefined;
  // A single invalid field is in the message already.
  const details =
    error.errors.length > 1 ? error.errors.map(({ path, message }) => `${path || '/'} ${message}`) : [];
  const hint = subject?.hint ?? hintFor(error, credential);
  return new Failure(exit, `${messageOf(error, subject?.name)} (${error.code})`, hint, details);
}

function hintFor(
  { status, code, detail, instance = '', requestId, retryAfterSeconds }: PlatformError,
  credential: string | undefined,
): string | undefined {
  if (code === 'unreachable' && /certificate/.test(detail))
    return 'if its authority is your own, name the file with its certificate in NODE_EXTRA_CA_CERTS';
  if (code === 'rate_limited' && retryAfterSeconds !== undefined)
    return `try again in ${retryAfterSeconds} seconds`;
  if (status >= 500 && status !== 503 && requestId !== undefined)
    return `ask an operator, and give them the request id ${requestId}`;
  // Workloads never log in.
  if (code === 'unauthenticated' && instance === '/api/v1/identity/token')
    return 'creating a deployment returns a bootstrap credential, which is valid until the deployment is deleted';
  if (code === 'unauthenticated' && credential !== undefined)
    return `${credential} was used; replace that token, or remove it to use your login`;
  return hints[code];
}

interface Subject {
  /** The resource or collection of the request, such as `books/novels/emma`. */
  readonly name: string;
  readonly hint: string;
}

/** The subject of the request in the user's notation: its path without prefix, group and version. */
function subjectOf({ instance = '', detail }: PlatformError): Subject | undefined {
  // Only what users name by a path. The instance of an action, such as /api/v1/encrypt, does not tell what is missing.
  if (!/^\/api\/v1\/(resources|projects|teams)\//.test(instance)) return undefined;
  const path = instance.replace(/^\/api\/v1\/(resources\/[^/]+\/[^/]+\/)?/, '');
  const [plural, project, child, name] = path.split('/').map(decoded);
  const isProjectMissing = plural === 'projects' && (name === undefined || /project/.test(detail));
  if (isProjectMissing)
    return { name: `projects/${project}`, hint: 'platform get projects lists the existing ones' };
  if (plural === 'projects')
    return {
      name: `${child}/${project}/${name}`,
      hint: `platform get ${child}/${project} lists the existing ones`,
    };
  return { name: decoded(path), hint: `platform get ${plural} lists the existing ones` };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function messageOf({ code, detail, instance = '' }: PlatformError, subject: string | undefined): string {
  const message = detail.replace(/\.$/, '');
  if (subject !== undefined) return `${message}: ${subject}`;
  if (code === 'forbidden' && instance.startsWith('/api/v1/resources'))
    return `${message}: it is only for operators`;
  // Users know the address of the platform, not methods and paths.
  const [, address, reason] = /^[A-Z]+ (https?:\/\/[^/]+)\S*: (.*)$/.exec(message) ?? [];
  return address === undefined ? message : `cannot reach ${address}: ${reason}`;
}

const fileReasons: Readonly<Record<string, string>> = {
  ENOENT: 'file not found',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory, but a file is required',
  ENOTDIR: 'a part of the path is not a directory',
};

function unexpectedFailure(error: unknown): Failure {
  const { code = '', path, message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  // A syntax error in an answer, since files are read with messages of their own.
  if (error instanceof SyntaxError && /JSON|at position \d/.test(message))
    return new Failure('unavailable', 'the answer is not JSON', hints['unexpected_answer']);
  if (path === undefined) return new Failure('failed', message);
  return new Failure('usage', `${path}: ${fileReasons[code] ?? message}`);
}
