import { Problem, randomValue, type SealContext, secretHash } from '@platform/kernel';
import { type Handover, handoverPath, handoverSeconds, type Visitor } from '../model/handover.ts';
import { readProjectPath } from '../rules/project-path.ts';
import { beginTrip, type Departure } from './begin-trip.ts';
import type { LoginPorts } from './ports.ts';

/** The addresses of a project that a visitor may open: the origin of its URL first, then its custom domains. */
export interface VisitedSite {
  readonly origins: readonly string[];
}

/** What a hand-over needs besides a login. */
export interface HandoverPorts extends LoginPorts {
  /** The addresses of the project, when the visitor may open it; throws one and the same `forbidden` otherwise. */
  readonly openSite: (visitor: Visitor, project: string) => Promise<VisitedSite>;
}

/** What a hand-over code is sealed for. */
export const handoverContext: SealContext = { purpose: 'ingress_code' };

const startPath = '/api/v1/auth/ingress/start';

/** The request for a hand-over. */
interface HandoverRequest {
  readonly project: string;
  readonly path: string;
  readonly origin: string | null;
  readonly binding: string | null;
}

/**
 * Hands a visitor over to the host of a project (`GET /api/v1/auth/ingress/start?project=&path=`). Without a session the visitor
 * logs in first and comes back. A request without a binding is sent to the project's host for one.
 */
export async function startHandover(
  ports: HandoverPorts,
  query: URLSearchParams,
  visitor: Visitor | null,
): Promise<Departure | { readonly location: string; readonly cookie: null }> {
  const request = readRequest(query);
  if (visitor === null) {
    return await beginTrip(ports, { kind: 'browser', redirect: startAddress('', request) });
  }
  const { project, path, binding } = request;
  const origin = originOf(request, await ports.openSite(visitor, project), ports.publicUrl);
  const back = new URL(handoverPath, origin);
  if (binding === null) {
    back.searchParams.set('path', path);
    return { location: back.href, cookie: null };
  }
  const code = randomValue(ports.random);
  const handover: Handover = { project, origin, path, binding, visitor };
  const expiresAt = Math.floor(ports.clock.now() / 1000) + handoverSeconds;
  await ports.once.save(
    secretHash(code),
    ports.sealer.seal(JSON.stringify(handover), handoverContext),
    expiresAt,
  );
  back.searchParams.set('code', code);
  return { location: back.href, cookie: null };
}

/** The address at which a browser asks for a hand-over; relative when `publicUrl` is empty. */
export function startAddress(publicUrl: string, request: HandoverRequest): string {
  const given = Object.entries(request).filter((entry): entry is [string, string] => entry[1] !== null);
  return `${publicUrl}${startPath}?${new URLSearchParams(given)}`;
}

function readRequest(query: URLSearchParams): HandoverRequest {
  const once = (name: string): string | null => {
    const [value = null, ...more] = query.getAll(name);
    if (more.length > 0) throw new Problem('invalid_query', `${name} must be given once.`);
    return value;
  };
  const project = once('project');
  if (project === null) throw new Problem('invalid_query', 'project must be given, once.');
  const path = readProjectPath(once('path') ?? '/');
  if (path === null) {
    throw new Problem(
      'invalid_query',
      'path must be a path of the project, percent-encoded, at most 1536 bytes.',
    );
  }
  const binding = once('binding');
  if (binding !== null && !/^[0-9a-f]{64}$/.test(binding)) {
    throw new Problem('invalid_query', 'binding must be the one that the host of the project gave.');
  }
  return { project, path, origin: once('origin'), binding };
}

function originOf({ origin }: HandoverRequest, { origins }: VisitedSite, publicUrl: string): string {
  const chosen = origins.find((candidate) => origin === null || candidate === origin);
  if (chosen === undefined) {
    throw new Problem('invalid_query', 'origin must be that of the project URL or of a custom domain.');
  }
  // Attack: an app on the platform's host sees the platform's cookies, because cookies do not tell ports apart (RFC 6265 section 8.5).
  if (new URL(chosen).hostname === new URL(publicUrl).hostname) {
    throw new Problem(
      'forbidden',
      'The project has an address on the host of the platform, which no app may share.',
    );
  }
  return chosen;
}
