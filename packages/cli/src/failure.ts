import { PlatformError } from '@platform/client';
import type { Exit } from './exit-codes.ts';

/** What the person is told, in one line, with the way out where there is one. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exit: Exit;
  /** What to do about it: a command, or a few words. */
  readonly wayOut: string | undefined;
  /** Further lines, such as every fault of a document. */
  readonly details: readonly string[];

  constructor(exit: Exit, message: string, wayOut?: string, details: readonly string[] = []) {
    super(message);
    this.exit = exit;
    this.wayOut = wayOut;
    this.details = details;
  }
}

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

const waysOut: Readonly<Record<string, string>> = {
  unauthenticated: 'platform login',
  forbidden: 'platform whoami tells who you are',
  unknown_collection: 'platform kinds',
  revision_conflict: 'run the command again',
  definition_in_use: 'delete its resources first: platform get <kind>',
  version_in_use: 'rewrite its resources at the storage version first',
  parent_terminating: 'platform pending',
  definition_terminating: 'platform pending',
  storage_version_required: 'platform kinds shows which version that is',
  unreachable: 'is it running? --url or platform contexts names another one',
  timeout: 'is it running? --url or platform contexts names another one',
  unavailable: 'try again in a moment',
  contention: 'try again in a moment',
};

/** What any error is to the person. An error that nobody expected keeps its own words. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof PlatformError)) return unexpected(error);
  const { status, code, errors, requestId, retryAfterSeconds } = error;
  const exit = exitsByStatus[status] ?? 'failed';
  const place = code === 'not_found' ? placeOf(error) : undefined;
  const detail = detailOf(error, place);
  const wayOut =
    code === 'rate_limited' && retryAfterSeconds !== undefined
      ? `try again in ${retryAfterSeconds} seconds`
      : status >= 500 && status !== 503 && requestId !== undefined
        ? `ask for help with the request id ${requestId}`
        : (place?.wayOut ?? (isWorkload(error) ? workloadWayOut : waysOut[code]));
  // One fault is in the detail already.
  const details = errors.length > 1 ? errors.map(({ path, message }) => `${path || '/'} ${message}`) : [];
  return new Failure(exit, `${detail} (${code})`, wayOut, details);
}

const workloadWayOut =
  'the answer to creating a deployment holds one, which is good until the deployment is deleted';

/** Whether a workload was refused, which never logs in. */
function isWorkload({ code, instance }: PlatformError): boolean {
  return code === 'unauthenticated' && instance === '/api/v1/identity/token';
}

interface Place {
  /** What was asked for, such as `books/novels/emma`. */
  readonly name: string;
  readonly wayOut: string;
}

/** What an answer is about: its path without what a person never types. */
function placeOf({ instance = '', detail }: PlatformError): Place | undefined {
  const name = instance.replace(/^\/api\/v1\/(resources\/[^/]+\/[^/]+\/)?/, '');
  if (name === instance) return undefined;
  const [plural, project, below, own] = name.split('/').map(decoded);
  // Below a project, where the project itself is there.
  if (plural === 'projects' && own !== undefined && !/project/.test(detail)) {
    return {
      name: `${below}/${project}/${own}`,
      wayOut: `platform get ${below}/${project} lists what there is`,
    };
  }
  const shown = plural === 'projects' ? `projects/${project}` : decoded(name);
  return { name: shown, wayOut: `platform get ${plural} lists what there is` };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function detailOf({ code, detail, instance = '' }: PlatformError, place: Place | undefined): string {
  const said = detail.replace(/\.$/, '');
  if (place !== undefined) return `${said}: ${place.name}`;
  if (code === 'forbidden' && instance.startsWith('/api/v1/resources')) return `${said}: it is for operators`;
  // Method and path say nothing to a person.
  const [, address, why] = /^[A-Z]+ (https?:\/\/[^/]+)\S*: (.*)$/.exec(said) ?? [];
  return address === undefined ? said : `${address} cannot be reached: ${why}`;
}

const fileReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is no directory',
};

/** An error of the file system in words; any other error in its own. */
function unexpected(error: unknown): Failure {
  const { code = '', path, message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  if (path === undefined) return new Failure('failed', message);
  return new Failure('usage', `${path}: ${fileReasons[code] ?? message}`);
}
