import { isRandomValue, Problem, randomValue, type SealContext, secretHash } from '@platform/kernel';
import {
  type Handover,
  type HandoverRequest,
  handoverPath,
  handoverSeconds,
  type Visitor,
} from '../model/handover.ts';
import { readProjectPath } from '../rules/project-path.ts';
import { saveCode } from './one-time-codes.ts';
import type { LoginPorts } from './ports.ts';
import { type LoginRedirect, startLogin } from './start-login.ts';

/** The addresses of a project that a visitor may open: the origin of its URL first, then its custom domains. */
export interface ProjectSite {
  readonly origins: readonly string[];
}

/** The dependencies of a hand-over. */
export interface HandoverPorts extends LoginPorts {
  /** Must return the addresses of the project if the visitor may open it; throws the same `forbidden` in all other cases. */
  readonly openSite: (visitor: Visitor, project: string) => Promise<ProjectSite>;
}

/** The seal context of a hand-over code. */
export const handoverContext: SealContext = { purpose: 'ingress_code' };

const startPath = '/api/v1/auth/ingress/start';

/**
 * Redirects the browser from the project's host to the platform. The browser keeps a random value and the platform gets its
 * hash, so that a code issued for it is useless in another browser. Tabs that log in at the same time share the value.
 */
export function requestHandover(
  { publicUrl, random }: Pick<LoginPorts, 'publicUrl' | 'random'>,
  visit: {
    readonly project: string;
    /** The origin that the visitor uses; null for that of the project's URL. */
    readonly origin: string | null;
    /** The path that the visitor requested; replaced by the root if it is not a valid path. */
    readonly path: string;
    readonly knownBinding: string | null;
  },
): { readonly location: string; readonly bindingValue: string } {
  const { project, origin, knownBinding } = visit;
  const bindingValue =
    knownBinding !== null && isRandomValue(knownBinding) ? knownBinding : randomValue(random);
  const path = readProjectPath(visit.path) ?? '/';
  const request = { project, path, origin, binding: secretHash(bindingValue) };
  return { location: startAddress(publicUrl, request), bindingValue };
}

/**
 * Hands a visitor over to the host of a project (`GET /api/v1/auth/ingress/start?project=&path=`). A visitor without a session
 * logs in first and returns. A request without a binding is redirected to the project's host to get one.
 */
export async function startHandover(
  ports: HandoverPorts,
  wanted: HandoverRequest,
  visitor: Visitor | null,
): Promise<LoginRedirect> {
  const request = validateRequest(wanted);
  if (visitor === null) {
    return await startLogin(ports, { kind: 'browser', redirect: startAddress('', request) });
  }
  const { project, path, binding } = request;
  const origin = originOf(request, await ports.openSite(visitor, project), ports.publicUrl);
  const callback = new URL(handoverPath, origin);
  if (binding === null) {
    callback.searchParams.set('path', path);
    return { location: callback.href, cookie: null };
  }
  const code = randomValue(ports.random);
  const handover: Handover = { project, origin, path, binding, visitor };
  await saveCode(ports, code, handover, { context: handoverContext, seconds: handoverSeconds });
  callback.searchParams.set('code', code);
  return { location: callback.href, cookie: null };
}

/** The address at which a browser requests a hand-over; relative when `publicUrl` is empty. */
function startAddress(publicUrl: string, request: HandoverRequest): string {
  const given = Object.entries(request).filter((entry): entry is [string, string] => entry[1] !== null);
  return `${publicUrl}${startPath}?${new URLSearchParams(given)}`;
}

function validateRequest({ project, path: text, origin, binding }: HandoverRequest): HandoverRequest {
  const path = readProjectPath(text);
  if (path === null) {
    throw new Problem(
      'invalid_query',
      'path must be a path of the project, percent-encoded, at most 1536 bytes.',
    );
  }
  if (binding !== null && !/^[0-9a-f]{64}$/.test(binding)) {
    throw new Problem('invalid_query', 'binding must be the value that the host of the project sent.');
  }
  return { project, path, origin, binding };
}

function originOf({ origin }: HandoverRequest, { origins }: ProjectSite, publicUrl: string): string {
  const chosen = origins.find((candidate) => origin === null || candidate === origin);
  if (chosen === undefined) {
    throw new Problem('invalid_query', 'origin must be that of the project URL or of a custom domain.');
  }
  // Attack: an app on the platform's host receives the platform's cookies, because cookies ignore ports (RFC 6265 section 8.5).
  if (new URL(chosen).hostname === new URL(publicUrl).hostname) {
    throw new Problem(
      'forbidden',
      'The project has an address on the host of the platform, which no app may share.',
    );
  }
  return chosen;
}
