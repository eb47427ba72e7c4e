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
import type { Request, Response } from 'express';
import { noStore } from '../../http/oauth-answer.ts';
import { type Page, wantsHtml, withPages } from '../../http/page.ts';
import { cookieName, readCookie, setCookie } from '../login/cookies.ts';
import { redirect } from '../login/login-redirect.ts';
import { readName } from '../projects/request.ts';
import type { RouteFamily } from '../route.ts';
import { forbiddenPage } from './start.ts';
import { answerGrant, type IngressParts, isSecure, visitorOf } from './visitor.ts';

/** The dependencies of forward-auth. */
export interface ForwardParts extends IngressParts {
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
export function forwardAuth(parts: ForwardParts, form: 'forward' | 'visit'): RouteFamily {
  const prefix = `/api/v1/auth/ingress/${form}`;
  return {
    prefix,
    access: 'public',
    async handle(request, response) {
      const visit = readForwarded(request, prefix);
      await withPages(
        request,
        response,
        (problem) => refusalPage(parts, visit, problem),
        async () => {
          if (pathOf(visit.uri) === handoverPath)
            return await handleCallback(parts, visit, request, response);
          try {
            const visitor = await visitorOf(parts, request, visit.project);
            const grant = await parts.mint(visitor.principal, visit.project);
            if (form === 'forward') answerGrant(response, grant, visitor);
            else redirect(response, readProjectPath(visit.uri) ?? '/', noStore);
          } catch (error) {
            const isAnonymous = error instanceof Problem && error.code === 'unauthenticated';
            // A client with invalid credentials of its own gets the error: a login would not change those credentials.
            if (!isAnonymous || !visit.navigates || request.headers.authorization !== undefined) throw error;
            await redirectToLogin(parts, visit, visit.uri, request, response);
          }
        },
      );
    },
  };
}

function readForwarded(request: Request, prefix: string): ForwardedRequest {
  const { path, query } = request.exchange;
  const [, name = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(path.slice(prefix.length)) ?? [];
  const { headers } = request;
  const forwarded = textOf(headers['x-forwarded-uri']) ?? '/';
  const method = textOf(headers['x-forwarded-method']) ?? request.method;
  const mode = headers['sec-fetch-mode'];
  return {
    project: readName(name),
    method,
    uri: rest === '' ? forwarded : `${rest}${query === '' ? '' : `?${query}`}`,
    navigates:
      (method === 'GET' || method === 'HEAD') &&
      (mode === undefined ? wantsHtml(request) : mode === 'navigate'),
  };
}

/** Redirects the visitor to the login of the platform and sets the cookie that the login is bound to. */
async function redirectToLogin(
  parts: ForwardParts,
  { project }: ForwardedRequest,
  path: string,
  request: Request,
  response: Response,
): Promise<void> {
  const site = await parts.siteOf(project);
  const settings = { secure: isSecure(site?.url ?? parts.ports.publicUrl) };
  const name = cookieName('platform_ingress_login', settings);
  const origin = originOf(request, site?.origins ?? []);
  const knownBinding = readCookie(request, name);
  const { location, bindingValue } = requestHandover(parts.ports, { project, origin, path, knownBinding });
  redirect(response, location, {
    ...noStore,
    'Set-Cookie': setCookie(name, bindingValue, bindingSeconds, settings),
  });
}

/** Completes the hand-over: redeems the code and sets the cookie of the project's host. */
async function handleCallback(
  parts: ForwardParts,
  visit: ForwardedRequest,
  request: Request,
  response: Response,
): Promise<void> {
  // Attack: a link preview sends HEAD and uses up the code before the visitor does.
  if (visit.method !== 'GET') {
    throw new Problem('method_not_allowed', `${visit.method} is not valid for this path.`, {
      allow: ['GET'],
    });
  }
  const query = new URLSearchParams(visit.uri.slice(handoverPath.length));
  const [code, ...more] = query.getAll('code');
  if (code === undefined) {
    return await redirectToLogin(parts, visit, query.get('path') ?? '/', request, response);
  }
  if (more.length > 0) throw new Problem('invalid_query', 'Query parameter code must appear once.');
  const { project } = visit;
  const site = await parts.siteOf(project);
  const settings = { secure: isSecure(site?.url ?? parts.ports.publicUrl) };
  const bindingValue = readCookie(request, cookieName('platform_ingress_login', settings));
  const { visitor, origin, path } = await completeHandover(parts.ports, { project, code, bindingValue });
  const { token, expiresIn } = await parts.mint(parts.principalOf(visitor), project);
  const name = cookieName('platform_ingress', settings);
  redirect(response, new URL(path, origin).href, {
    ...noStore,
    'Set-Cookie': setCookie(name, token, expiresIn, settings),
  });
}

/** The project's origin that the visitor uses; null if the header names none of them. The header only selects one of the project's. */
function originOf({ headers }: Request, origins: readonly string[]): string | null {
  const host = textOf(headers['x-forwarded-host'])?.toLowerCase();
  return origins.find((origin) => new URL(origin).host === host) ?? null;
}

function pathOf(uri: string): string {
  return uri.split(/[?#]/, 1)[0] ?? '';
}

function textOf(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header : null;
}

function refusalPage({ ports }: ForwardParts, { project }: ForwardedRequest, problem: Problem): Page {
  return problem.code === 'forbidden'
    ? forbiddenPage(ports.publicUrl, project, problem.message)
    : {
        title: 'This page cannot be opened',
        paragraphs: [problem.message],
        link: { href: '/', text: 'Start again' },
      };
}
