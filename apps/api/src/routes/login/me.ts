import type { Principal } from '@platform/tokens';
import { answerJson } from '../../http/answer.ts';
import { noStore } from '../../http/oauth-answer.ts';
import { principalOf } from '../projects/request.ts';
import type { Route } from '../route.ts';

/** `GET /api/v1/auth/me`: the caller's identity. */
export function me(): Route {
  return {
    method: 'GET',
    path: '/api/v1/auth/me',
    access: 'authenticated',
    handle: (request, response) => answerJson(response, 200, describe(principalOf(request)), noStore),
  };
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
