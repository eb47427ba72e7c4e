import type { Principal } from '@platform/tokens';
import { json } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { type AccountDeps, requireAccount } from '../../http/require-account.ts';

/** A binding that names the caller. */
export interface OwnBinding {
  readonly name: string;
  readonly role: string;
  /** The uid of the resource that it covers, with everything below; null for everything. */
  readonly scope: string | null;
}

/** The dependencies of the endpoint. */
export interface MeDeps extends AccountDeps {
  /** Must return the bindings that name the caller now, by name; none for operators, who need none. */
  readonly bindingsOf: (principal: Principal) => Promise<readonly OwnBinding[]>;
}

/** `GET /api/v1/auth/me`: the caller's identity, groups and bindings. */
export const me = endpoint({
  method: 'GET',
  path: '/api/v1/auth/me',
  id: 'whoAmI',
  tag: 'Login',
  summary: 'Say who the caller is',
  access: 'authenticated',
  responses: { 200: { description: 'The caller.', schema: ref('Caller') } },
  async handle(deps: MeDeps, { principal }) {
    await requireAccount(deps, principal);
    const groups = groupsOf(principal);
    const bindings = await deps.bindingsOf(principal);
    // Left out where they are empty: most callers have neither.
    const access = {
      ...(groups.length === 0 ? {} : { groups }),
      ...(bindings.length === 0 ? {} : { bindings }),
    };
    return json(200, { ...describe(principal), ...access }, noStore);
  },
});

/** The groups that bindings may name: none when the identity provider does not vouch for them. */
function groupsOf(principal: Principal): readonly string[] {
  const session = 'session' in principal ? principal.session : undefined;
  return session?.emailVerified === true ? session.groups : [];
}

function describe(principal: Principal): Record<string, unknown> {
  switch (principal.type) {
    case 'controller':
      return { type: 'controller', id: principal.id, operator: false, admin: false };
    case 'service_account': {
      const { uid, email, project } = principal;
      return { type: 'service_account', uid, email, project, operator: false, admin: false };
    }
    default: {
      const { type, uid, email, admin } = principal;
      return { type: 'user', uid, email, operator: type === 'operator', admin };
    }
  }
}
