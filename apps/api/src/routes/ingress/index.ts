import type { Endpoint } from '../../endpoint/descriptor.ts';
import type { EndpointFamily } from '../../endpoint/family.ts';
import { type ForwardDeps, forwardAuth } from './forward.ts';
import { ingress } from './ingress.ts';
import { ingressStart, type StartDeps } from './start.ts';

/** The dependencies of the ingress endpoints. */
export interface IngressEndpointDeps extends ForwardDeps, StartDeps {}

/** Ingress tokens, and the way of a visitor to them. */
export const ingressEndpoints: readonly Endpoint<IngressEndpointDeps>[] = [ingress, ingressStart];

/** The endpoints that the proxy in front of a project asks. */
export function ingressFamilies(deps: IngressEndpointDeps): readonly EndpointFamily[] {
  return [forwardAuth(deps, 'forward'), forwardAuth(deps, 'visit')];
}
