import { Problem } from '@platform/kernel';
import {
  beginHandover,
  bindingSeconds,
  finishHandover,
  type HandoverPorts,
  handoverPath,
  readProjectPath,
  type Visitor,
} from '@platform/login';
import type { Principal } from '@platform/tokens';
import type { Request, Response } from 'express';
import { noStore } from '../../http/oauth-answer.ts';
import { type Page, wantsHtml, withPages } from '../../http/page.ts';
import { cookieName, readCookie, setCookie } from '../login/cookies.ts';
import { redirect } from '../login/depart.ts';
import { readName } from '../projects/request.ts';
import type { RouteFamily } from '../route.ts';
import { forbiddenPage } from './start.ts';
import { answerGrant, type IngressParts, isSecure, visitorOf } from './visitor.ts';

/** What forward-auth is made of. */
export interface ForwardParts extends IngressParts {
  readonly ports: HandoverPorts;
  /** The URL and custom domains of the project; null for an unknown one. */
  readonly siteOf: (
    project: string,
  ) => Promise<{ readonly url: string; readonly origins: readonly string[] } | null>;
  /** The visitor with the roles that the configuration gives now. */
  readonly principalOf: (visitor: Visitor) => Principal;
}

/** What a visitor asked the project's host for, as its proxy reports it. */
interface Visit {
  readonly project: string;
  readonly method: string;
  /** Path and query, raw. */
  readonly uri: string;
  /** Whether the browser shows the answer as a page, so that it can be sent to a login. */
  readonly navigates: boolean;
}

/**
 * `/api/v1/auth/ingress/forward/{project}`: forward-auth with login, for proxies that hand on whatever it answers (Traefik,
 * Envoy, Caddy). `/api/v1/auth/ingress/visit/{project}`: the same for nginx, which shows its answer to the visitor, and so
 * never a token. The visit is read from what follows the project in the path, or from `X-Forwarded-Uri`.
 */
export function forwardAuth(parts: ForwardParts, form: 'forward' | 'visit'): RouteFamily {
  const prefix = `/api/v1/auth/ingress/${form}`;
  return {
    prefix,
    access: 'public',
    async handle(request, response) {
      const visit = readVisit(request, prefix);
      await withPages(
        request,
        response,
        (problem) => refusalPage(parts, visit, problem),
        async () => {
          if (pathOf(visit.uri) === handoverPath) return await arrive(parts, visit, request, response);
          try {
            const visitor = await visitorOf(parts, request, visit.project);
            const grant = await parts.mint(visitor.principal, visit.project);
            if (form === 'forward') answerGrant(response, grant, visitor);
            else redirect(response, readProjectPath(visit.uri) ?? '/', noStore);
          } catch (error) {
            const isAnonymous = error instanceof Problem && error.code === 'unauthenticated';
            // A client that sends credentials of its own is told that they do not count: a login would not change them.
            if (!isAnonymous || !visit.navigates || request.headers.authorization !== undefined) throw error;
            await leave(parts, visit, visit.uri, request, response);
          }
        },
      );
    },
  };
}

function readVisit(request: Request, prefix: string): Visit {
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

/** Sends the visitor to the platform, with a value in the browser that the login is bound to. */
async function leave(
  parts: ForwardParts,
  { project }: Visit,
  path: string,
  request: Request,
  response: Response,
): Promise<void> {
  const site = await parts.siteOf(project);
  const settings = { secure: isSecure(site?.url ?? parts.ports.publicUrl) };
  const name = cookieName('platform_ingress_login', settings);
  const origin = originOf(request, site?.origins ?? []);
  const knownBinding = readCookie(request, name);
  const departure = beginHandover(parts.ports, { project, origin, path, knownBinding });
  redirect(response, departure.location, {
    ...noStore,
    'Set-Cookie': setCookie(name, departure.bindingValue, bindingSeconds, settings),
  });
}

/** Ends the hand-over: the code becomes a cookie of the project's host. */
async function arrive(
  parts: ForwardParts,
  visit: Visit,
  request: Request,
  response: Response,
): Promise<void> {
  // Attack: a link preview asks with HEAD and uses up the code before its owner comes.
  if (visit.method !== 'GET') {
    throw new Problem('method_not_allowed', `${visit.method} is not valid for this path.`, {
      allow: ['GET'],
    });
  }
  const query = new URLSearchParams(visit.uri.slice(handoverPath.length));
  const [code, ...more] = query.getAll('code');
  if (code === undefined) return await leave(parts, visit, query.get('path') ?? '/', request, response);
  if (more.length > 0) throw new Problem('invalid_query', 'code must be given once.');
  const { project } = visit;
  const site = await parts.siteOf(project);
  const settings = { secure: isSecure(site?.url ?? parts.ports.publicUrl) };
  const bindingValue = readCookie(request, cookieName('platform_ingress_login', settings));
  const { visitor, origin, path } = await finishHandover(parts.ports, { project, code, bindingValue });
  const { token, expiresIn } = await parts.mint(parts.principalOf(visitor), project);
  const name = cookieName('platform_ingress', settings);
  redirect(response, new URL(path, origin).href, {
    ...noStore,
    'Set-Cookie': setCookie(name, token, expiresIn, settings),
  });
}

/** The origin that the visitor uses, when it is one of the project's; null for that of its URL. It only chooses among them. */
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

function refusalPage({ ports }: ForwardParts, { project }: Visit, problem: Problem): Page {
  return problem.code === 'forbidden'
    ? forbiddenPage(ports.publicUrl, project, problem.message)
    : {
        title: 'This page cannot be opened',
        paragraphs: [problem.message],
        link: { href: '/', text: 'Start again' },
      };
}
