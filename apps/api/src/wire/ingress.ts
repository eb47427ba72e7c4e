import type { LoginPorts, Visitor } from '@platform/login';
import {
  mintIngressToken,
  openIngressToken,
  type Project,
  requireVisit,
  trustedAddresses,
} from '@platform/projects';
import { createProjectStores } from '@platform/store-postgres';
import { type IngressClaims, ingressKind, userWithRoles, verifyOwn } from '@platform/tokens';
import type { CookiePolicy } from '../http/authorize.ts';
import type { IngressEndpointDeps } from '../routes/ingress/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { TokenServices } from './tokens.ts';

/** Ingress tokens and the hand-over of visitors to the hosts of projects. */
export function wireIngress(
  infrastructure: Infrastructure,
  tokens: TokenServices,
  cookie: CookiePolicy,
  login: LoginPorts,
): IngressEndpointDeps {
  const { config, store, clock } = infrastructure;
  const { projects } = createProjectStores(store.database);
  const ports = { projects, defaultOrganization: config.default_organization.name };
  const now = () => Math.floor(clock.now() / 1000);
  const verify = (token: string, audience: string): IngressClaims | null => {
    const expected = { issuer: config.server.public_url, audience, now: now() };
    const result = verifyOwn(ingressKind, token, expected, tokens.signatures);
    return result.ok ? result.claims : null;
  };
  const principalOf = (visitor: Visitor) => userWithRoles(visitor, visitor.session, tokens.roles);
  return {
    authenticator: tokens.authenticator,
    cookie,
    cookies: { secure: config.server.cookie_secure },
    principalOf,
    async openIngressToken(tokenOf, name) {
      const named = await openIngressToken(
        { projects, verify, endedSessions: login.endedSessions },
        tokenOf,
        name,
      );
      if (named === null) return null;
      return { principal: principalOf(named), remainingSeconds: named.tokenExpiresAt - now() };
    },
    mint: (principal, name) =>
      mintIngressToken({ ...ports, tokens: tokens.issuing, roles: tokens.roles }, principal, name),
    async siteOf(name) {
      const project = await projects.find(name);
      return project === null ? null : { url: project.url, origins: originsOf(project) };
    },
    ports: {
      ...login,
      openSite: async (visitor, name) => ({
        origins: originsOf(await requireVisit(ports, principalOf(visitor), name)),
      }),
    },
  };
}

/** The origins that visitors may arrive at. Attack: a domain that belongs to another project gets the codes of this one's visitors. */
function originsOf(project: Project): readonly string[] {
  const { url, customDomains } = trustedAddresses(project);
  return [...(url === '' ? [] : [new URL(url).origin]), ...customDomains];
}
