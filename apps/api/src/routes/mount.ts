import { Problem } from '@platform/kernel';
import type { Express, RequestHandler } from 'express';
import type { Gate } from '../http/gate.ts';
import type { Route, RouteFamily } from './route.ts';

/** Puts endpoints into the application; a path answers 405 with `Allow` for the methods that it does not have. */
export function mountRoutes(app: Express, routes: readonly Route[], gate: Gate): void {
  for (const [path, methods] of byPath(routes)) app.all(path, pathHandler(path, methods, gate));
}

/** Puts families into the application: everything below their prefix is theirs. */
export function mountFamilies(app: Express, families: readonly RouteFamily[], gate: Gate): void {
  for (const family of families) app.use(family.prefix, familyHandler(family, gate));
}

function byPath(routes: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  const paths = new Map<string, Route[]>();
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return paths;
}

function pathHandler(path: string, routes: readonly Route[], gate: Gate): RequestHandler {
  const byMethod = new Map<string, Route>(routes.map((route) => [route.method, route]));
  const allow = routes.map((route) => route.method);
  const get = byMethod.get('GET');
  if (get !== undefined) byMethod.set('HEAD', get);
  return async (request, response) => {
    request.exchange.route = path;
    const route = byMethod.get(request.method);
    if (route === undefined) {
      throw new Problem('method_not_allowed', `${request.method} is not valid for this path.`, { allow });
    }
    await gate(route.access, request);
    // A session cookie may authenticate: no shared cache, and no private one without asking. Handlers may forbid storing at all.
    if (route.access !== 'public') response.setHeader('Cache-Control', 'private, no-cache');
    await route.handle(request, response);
  };
}

function familyHandler(family: RouteFamily, gate: Gate): RequestHandler {
  return async (request, response) => {
    request.exchange.route = family.prefix;
    try {
      await gate(family.access, request);
      await family.handle(request, response);
    } catch (error) {
      if (error instanceof Problem && (error.status === 401 || error.status === 403)) {
        family.refused?.(request, error);
      }
      throw error;
    }
  };
}
