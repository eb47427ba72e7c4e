import type { Route, RouteFamily } from '../route.ts';
import { type ForwardParts, forwardAuth } from './forward.ts';
import { ingress } from './ingress.ts';
import { ingressStart, type StartParts } from './start.ts';

/** The dependencies of the ingress endpoints. */
export interface IngressEndpoints extends ForwardParts, StartParts {}

/** Ingress tokens and the hand-over of visitors. */
export function ingressRoutes(parts: IngressEndpoints): readonly Route[] {
  return [ingress(parts), ingressStart(parts)];
}

/** The endpoints that the proxy in front of a project calls. */
export function ingressFamilies(parts: IngressEndpoints): readonly RouteFamily[] {
  return [forwardAuth(parts, 'forward'), forwardAuth(parts, 'visit')];
}
