import { Problem } from '@platform/kernel';
import type { Express, RequestHandler } from 'express';
import type { Gate } from '../http/gate.ts';
import type { Route, RouteFamily } from './route.ts';

/** Puts families and routes into the application; a path answers 405 with `Allow` for the methods that it does not have. */
export function mountRoutes(
  app: Express,
  families: readonly RouteFamily[],
  routes: readonly Route[],
  gate: Gate,
): void {
  for (const family of families) app.use(family.prefix, familyHandler(family, gate));
  for (const [path, methods] of byPath(routes)) app.all(path, pathHandler(path, methods, gate));
}

function byPath(routes: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  const paths = new Map<string, Route[]>();
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return paths;
}

function familyHandler(family: RouteFamily, gate: Gate): RequestHandler {
  return async (request, response) => {
    request.exchange.route = family.prefix;
    const admitted = gate(family.access, request);
    // Awaiting a value that is there already would cost a turn of the microtask queue on every read.
    request.exchange.principal = admitted instanceof Promise ? await admitted : admitted;
    await family.handle(request, response);
  };
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
    request.exchange.principal = await gate(route.access, request);
    await route.handle(request, response);
  };
}
