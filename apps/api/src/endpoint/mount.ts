import type { AuditEntry, AuditTrail } from '@platform/access';
import { dnsLabelPattern, type Logger, Problem } from '@platform/kernel';
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import type { AbuseLimits } from '../http/abuse-limits.ts';
import { refusalOf } from '../http/audit.ts';
import type { Authorize } from '../http/authorize.ts';
import { withPathProblem, withStorageProblems } from '../http/error-handler.ts';
import { represent } from '../http/representation.ts';
import { sendAnswer, setHeaders } from '../http/send.ts';
import { Call } from './call.ts';
import { type BoundEndpoint, type Input, isOpen } from './descriptor.ts';
import type { Method } from './documentation.ts';
import { parseQuery, requireKnown } from './query.ts';
import { sendRefusal } from './send-refusal.ts';

/** The settings that all endpoints share. */
export interface MountSettings {
  readonly authorize: Authorize;
  readonly limits: AbuseLimits;
  /** `server.body_limit_bytes`. */
  readonly bodyLimitBytes: number;
  /** Aborts when the process is asked to stop. */
  readonly stopping?: AbortSignal | undefined;
  /** Takes audit records; absent in a process without a database. */
  readonly audit?: AuditTrail | null | undefined;
  /** Takes a line for each request that is not served. */
  readonly log?: Logger | undefined;
}

/** Puts endpoints into the application; a path answers 405 with `Allow` for the methods that it does not have. */
export function mountEndpoints(
  app: Express,
  endpoints: readonly BoundEndpoint[],
  settings: MountSettings,
): void {
  for (const one of endpoints) requireLimit(one);
  const paths = new Map<string, BoundEndpoint[]>();
  for (const one of endpoints) paths.set(one.path, [...(paths.get(one.path) ?? []), one]);
  for (const [template, methods] of paths) {
    const path = template.replace(/\{(\w+)\}/g, ':$1');
    app.all(path, pathHandler(path, methods, settings));
  }
  // express decodes the parameters of a path before it calls a handler.
  app.use(undecodablePathHandler(paths, settings));
}

/** Refuses a path that is not percent-encoded UTF-8 in the form in which its endpoints refuse, where they have one of their own. */
function undecodablePathHandler(
  paths: ReadonlyMap<string, readonly BoundEndpoint[]>,
  settings: MountSettings,
): ErrorRequestHandler {
  const forms = [...paths]
    .filter(([template, endpoints]) => template.includes('{') && endpoints.some(({ onError }) => onError))
    .map(([template, endpoints]) => ({ pattern: undecodedPattern(template), endpoints }));
  return (error: unknown, request, response, next) => {
    const found =
      error instanceof URIError ? forms.find(({ pattern }) => pattern.test(request.context.path)) : undefined;
    if (found === undefined) {
      next(error);
      return;
    }
    return refuse(found.endpoints, withPathProblem(error), request, response, settings);
  };
}

/** The paths of a template, in which a parameter may be anything but a slash. */
function undecodedPattern(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}

/** Attack: anonymous work without a bound. A new endpoint for everybody is limited, or says why not; the process does not start otherwise. */
function requireLimit({ access, limit, unlimited, method, path }: BoundEndpoint): void {
  if (!isOpen(access) || limit !== undefined || unlimited !== undefined) return;
  throw new Error(`${method} ${path} is public: declare its limit, or why it has none`);
}

const methodOrder: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function pathHandler(
  path: string,
  endpoints: readonly BoundEndpoint[],
  settings: MountSettings,
): RequestHandler {
  const byMethod = new Map<string, BoundEndpoint>(endpoints.map((one) => [one.method, one]));
  const allow = methodOrder.filter((method) => byMethod.has(method));
  const get = byMethod.get('GET');
  if (get !== undefined) byMethod.set('HEAD', get);
  return async (request, response) => {
    request.context.route = path;
    const found = byMethod.get(request.method);
    if (found === undefined) {
      const message = `${request.method} is not valid for this path.`;
      const problem = new Problem('method_not_allowed', message, { allow });
      await refuse(endpoints, problem, request, response, settings);
      return;
    }
    await serve(found, request, response, settings);
  };
}

/** Sends the refusal of a request that no endpoint of the path takes, in the form in which they refuse. */
async function refuse(
  endpoints: readonly BoundEndpoint[],
  problem: unknown,
  request: Request,
  response: Response,
  { stopping, audit }: MountSettings,
): Promise<void> {
  const { headers, onError } = endpoints.find((one) => one.onError !== undefined) ?? {};
  const answer = onError?.(problem, new Call(request, response, stopping, audit)) ?? null;
  if (answer === null) throw problem;
  if (headers !== undefined) setHeaders(response, headers);
  if (problem instanceof Problem) request.context.problem = problem.code;
  await sendAnswer(request, response, answer);
}

/** The order of decisions of every endpoint: 401 and 403, rate limit, path and query; the handler reads the body last. */
async function serve(
  one: BoundEndpoint,
  request: Request,
  response: Response,
  { authorize, limits, bodyLimitBytes, stopping, audit, log }: MountSettings,
): Promise<void> {
  const call = new Call(request, response, stopping, audit);
  if (one.headers !== undefined) setHeaders(response, one.headers);
  const bodyLimit = one.bodyLimit === 'small' ? limits.bodyLimit : bodyLimitBytes;
  let isAuthorized = false;
  try {
    const principal = await authorize(one.access, request);
    isAuthorized = true;
    // A session cookie may authenticate: no shared cache, and no private one without asking. Endpoints may forbid storing at all.
    if (one.access !== 'public' && one.headers?.['Cache-Control'] === undefined)
      response.setHeader('Cache-Control', 'private, no-cache');
    if (one.limit !== undefined) limits.take(request);
    if (one.unknownQuery === 'refuse') requireKnown(one.query ?? one.documentedQuery, call.rawQuery);
    const input = {
      principal,
      params: one.params?.parse(request.params),
      query: one.query === undefined ? undefined : parseQuery(one.query, call.rawQuery),
      body: async () => await one.body?.read(request, bodyLimit),
    } as Input;
    const answer = await one.handle(undefined, input, call);
    await sendAnswer(request, response, one.access === 'public' ? answer : represent(call, answer));
  } catch (thrown) {
    const error = withStorageProblems(thrown);
    // A caller who is not authorized has the same record for every kind of request, which sendRefusal writes.
    if (isAuthorized) recordRefusal(one, call, error);
    await sendRefusal(one, error, call, { request, response, audit, log });
  }
}

/** Records that an endpoint with an audited action refused it. */
function recordRefusal({ audit }: BoundEndpoint, call: Call, error: unknown): void {
  const refusal = refusalOf(error);
  if (audit === undefined || refusal === null) return;
  call.audit({
    action: audit.refused,
    outcome: refusal.status >= 500 ? 'failed' : 'denied',
    ...refusedAt(call.params, error, { ...audit.details, error: refusal.code }),
  });
  call.context.audited = true;
}

/** The most characters of a reason in a record. */
const maxReason = 256;

/** The extension whose login was refused, as far as the path names one, and the reason that the caller got. */
function refusedAt(
  { project, extension }: Call['params'],
  error: unknown,
  details: Readonly<Record<string, unknown>>,
): Pick<AuditEntry, 'project' | 'details'> {
  if (!isName(project) || !isName(extension)) return { details };
  // Attack: a request with control characters in what the reason repeats, which would break the line of an export.
  const message = error instanceof Error ? error.message.replaceAll(/\p{C}/gu, '').slice(0, maxReason) : '';
  return { project, details: { ...details, extension, message } };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && dnsLabelPattern.test(value);
}
