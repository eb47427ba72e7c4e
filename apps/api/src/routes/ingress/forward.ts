import { Problem } from '@platform/kernel';
import {
  bindingSeconds,
  completeHandover,
  type HandoverPorts,
  handoverPath,
  readProjectPath,
  requestHandover,
  type Visitor,
} from '@platform/login';
import type { Principal } from '@platform/tokens';
import { type Answer, redirect } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import type { EndpointFamily } from '../../endpoint/family.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { readName } from '../../endpoint/path-parameters.ts';
import { refusalOf } from '../../http/audit.ts';
import { readCookie } from '../../http/authorize.ts';
import { type Page, refusalPage, wantsHtml } from '../../http/page.ts';
import { cookieName, setCookie } from '../login/cookies.ts';
import { forbiddenPage } from './start.ts';
import { grantAnswer, type IngressDeps, isSecure, recordGrant, visitorOf } from './visitor.ts';

/** The dependencies of forward-auth. */
export interface ForwardDeps extends IngressDeps {
  readonly ports: HandoverPorts;
  /** The URL and custom domains of the project; null for an unknown one. */
  readonly siteOf: (
    project: string,
  ) => Promise<{ readonly url: string; readonly origins: readonly string[] } | null>;
  /** The visitor with the roles that the configuration gives now. */
  readonly principalOf: (visitor: Visitor) => Principal;
}

/** The request of a visitor to the project's host, as its proxy reports it. */
interface ForwardedRequest {
  readonly project: string;
  readonly method: string;
  /** Path and query, raw. */
  readonly uri: string;
  /** Whether the browser shows the response as a page, so that it can be redirected to a login. */
  readonly navigates: boolean;
}

/**
 * `/api/v1/auth/ingress/forward/{project}`: forward-auth with login, for proxies that pass its response on (Traefik, Envoy,
 * Caddy). `/api/v1/auth/ingress/visit/{project}`: the same for nginx, which shows the response to the visitor, so it contains
 * no token. The visitor's URI is the rest of the path after the project, or `X-Forwarded-Uri`.
 */
export function forwardAuth(deps: ForwardDeps, form: 'forward' | 'visit'): EndpointFamily {
  const prefix = `/api/v1/auth/ingress/${form}`;
  return {
    prefix,
    access: 'public',
    unlimited:
      'proxies ask for each request of their visitors, from one address; without a credential it costs one indexed read at most',
    async handle(call) {
      const visit = readForwarded(call, prefix);
      try {
        if (pathOf(visit.uri) === handoverPath) return await handleCallback(deps, visit, call);
        return await admit(deps, visit, call, form);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal !== null) {
          const details = { kind: 'ingress', error: refusal.code };
          call.audit({ action: 'token.refused', outcome: 'denied', project: visit.project, details });
          call.context.audited = true;
        }
        const page = refusalPage(error, call, (problem) => describe(deps, visit, problem));
        if (page === null) throw error;
        return page;
      }
    },
  };
}

/** Answers 200 for a known visitor; redirects an anonymous browser to the login. */
async function admit(
  deps: ForwardDeps,
  visit: ForwardedRequest,
  call: Call,
  form: 'forward' | 'visit',
): Promise<Answer> {
  try {
    const visitor = await visitorOf(deps, call, visit.project);
    call.context.principal = visitor.principal;
    const grant = await deps.mint(visitor.principal, visit.project);
    recordGrant(call, grant);
    if (form === 'forward') return grantAnswer(grant, visitor);
    return redirect(readProjectPath(visit.uri) ?? '/', noStore);
  } catch (error) {
    const isAnonymous = error instanceof Problem && error.code === 'unauthenticated';
    // A client with invalid credentials of its own gets the error: a login would not change those credentials.
    if (!isAnonymous || !visit.navigates || call.headers.authorization !== undefined) throw error;
    return await redirectToLogin(deps, visit, visit.uri, call);
  }
}

function readForwarded(call: Call, prefix: string): ForwardedRequest {
  const { path, rawQuery: query, headers } = call;
  const [, name = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(path.slice(prefix.length)) ?? [];
  const forwarded = textOf(headers['x-forwarded-uri']) ?? '/';
  const method = textOf(headers['x-forwarded-method']) ?? call.method;
  const mode = headers['sec-fetch-mode'];
  return {
    project: readName(name),
    method,
    uri: rest === '' ? forwarded : `${rest}${query === '' ? '' : `?${query}`}`,
    navigates:
      (method === 'GET' || method === 'HEAD') && (mode === undefined ? wantsHtml(call) : mode === 'navigate'),
  };
}

/** Redirects the visitor to the login of the platform and sets the cookie that the login is bound to. */
async function redirectToLogin(
  deps: ForwardDeps,
  { project }: ForwardedRequest,
  path: string,
  call: Call,
): Promise<Answer> {
  const site = await deps.siteOf(project);
  const settings = { secure: isSecure(site?.url ?? deps.ports.publicUrl) };
  const name = cookieName('platform_ingress_login', settings);
  const origin = originOf(call, site?.origins ?? []);
  const knownBinding = readCookie(call, name);
  const { location, bindingValue } = requestHandover(deps.ports, { project, origin, path, knownBinding });
  return redirect(location, {
    ...noStore,
    'Set-Cookie': setCookie(name, bindingValue, bindingSeconds, settings),
  });
}

/** Completes the hand-over: redeems the code and sets the cookie of the project's host. */
async function handleCallback(deps: ForwardDeps, visit: ForwardedRequest, call: Call): Promise<Answer> {
  // Attack: a link preview sends HEAD and uses up the code before the visitor does.
  if (visit.method !== 'GET') {
    throw new Problem('method_not_allowed', `${visit.method} is not valid for this path.`, {
      allow: ['GET'],
    });
  }
  const query = new URLSearchParams(visit.uri.slice(handoverPath.length));
  const [code, ...more] = query.getAll('code');
  if (code === undefined) return await redirectToLogin(deps, visit, query.get('path') ?? '/', call);
  if (more.length > 0) throw new Problem('invalid_query', 'Query parameter code must appear once.');
  const { project } = visit;
  const site = await deps.siteOf(project);
  const settings = { secure: isSecure(site?.url ?? deps.ports.publicUrl) };
  const bindingValue = readCookie(call, cookieName('platform_ingress_login', settings));
  const { visitor, origin, path } = await completeHandover(deps.ports, { project, code, bindingValue });
  const grant = await deps.mint(deps.principalOf(visitor), project);
  recordGrant(call, grant);
  const { token, expiresIn } = grant;
  const name = cookieName('platform_ingress', settings);
  return redirect(new URL(path, origin).href, {
    ...noStore,
    'Set-Cookie': setCookie(name, token, expiresIn, settings),
  });
}

/** The most characters of a name with its port (RFC 1035 section 2.3.4). */
const maxHostLength = 260;

/** The project's origin that the visitor uses; null if the header names none of them. The header only selects one of the project's. */
function originOf({ headers }: Call, origins: readonly string[]): string | null {
  const host = textOf(headers['x-forwarded-host']);
  // Attack: parsers sort the combining marks of a host in quadratic time. A longer one names no host, so it is not parsed.
  if (host === null || host.length > maxHostLength) return null;
  // Parsed like an origin, because some clients name the default port of the scheme.
  const isAt = (origin: string, address: string) =>
    URL.canParse(address) && new URL(address).origin === new URL(origin).origin;
  return origins.find((origin) => isAt(origin, `${new URL(origin).protocol}//${host}`)) ?? null;
}

function pathOf(uri: string): string {
  return uri.split(/[?#]/, 1)[0] ?? '';
}

function textOf(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header : null;
}

function describe({ ports }: ForwardDeps, { project }: ForwardedRequest, problem: Problem): Page {
  return problem.code === 'forbidden'
    ? forbiddenPage(ports.publicUrl, project, problem.message)
    : {
        title: 'This page cannot be opened',
        paragraphs: [problem.message],
        link: { href: '/', text: 'Start again' },
      };
}
