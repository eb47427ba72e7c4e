import type { Principal } from '@platform/tokens';
import { json } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { noStore } from '../../endpoint/refusals.ts';

/** `GET /api/v1/auth/me`: the caller's identity. */
export const me = endpoint({
  method: 'GET',
  path: '/api/v1/auth/me',
  id: 'whoAmI',
  tag: 'Login',
  summary: 'Say who the caller is',
  access: 'authenticated',
  responses: { 200: { description: 'The caller.', schema: ref('Caller') } },
  handle: (_deps: unknown, { principal }) => json(200, describe(principal), noStore),
});

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
