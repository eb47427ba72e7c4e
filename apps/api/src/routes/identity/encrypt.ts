import { Problem } from '@platform/kernel';
import type { UserPrincipal } from '@platform/tokens';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import { answerJson } from '../../http/answer.ts';
import { noStore } from '../../http/oauth-answer.ts';
import { bodyOf, principalOf } from '../projects/request.ts';
import type { Route } from '../route.ts';

/** `encryptSecret` with everything it needs. */
export type Encrypt = (
  user: UserPrincipal,
  readBody: () => Promise<unknown>,
) => Promise<{ readonly encrypted: string }>;

/** `POST /api/v1/encrypt`: seals a secret for use in an extension. */
export function encrypt(seal: Encrypt, limits: AbuseLimits): Route {
  return {
    method: 'POST',
    path: '/api/v1/encrypt',
    access: 'user',
    async handle(request, response) {
      limits.take(request);
      const principal = principalOf(request);
      if (principal.type !== 'user' && principal.type !== 'operator') {
        throw new Problem('forbidden', 'Only people encrypt secrets.');
      }
      answerJson(response, 200, await seal(principal, bodyOf(request, limits.bodyLimit)), noStore);
    },
  };
}
