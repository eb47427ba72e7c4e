import { Problem } from '@platform/kernel';
import { signOut } from '@platform/tokens';
import { z } from 'zod';
import { empty } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import type { SessionDeps } from './deps.ts';

/** `POST /api/v1/auth/users/{user}/sign-out`: ends all sessions that the user has now. */
export const userSignOut = endpoint({
  method: 'POST',
  path: '/api/v1/auth/users/{user}/sign-out',
  id: 'signOutUser',
  tag: 'Sessions',
  summary: 'End all sessions of a user',
  description: 'Oneself, or anyone as an operator. Sessions of earlier releases end as well.',
  access: 'user',
  limit: 'credentials',
  params: z.object({ user: z.string() }),
  responses: { 204: { description: 'No session that had started by now is accepted any more.' } },
  problems: ['malformed_path', 'rate_limited'],
  async handle({ ports }: SessionDeps, { principal, params: { user } }, call) {
    if (!/^[^\p{C}]{1,320}$/u.test(user)) {
      throw new Problem('malformed_path', 'The user must be a uid or an e-mail address.');
    }
    await signOut(ports, principal, user);
    call.audit({ action: 'auth.signed_out', details: { user } });
    return empty(204, noStore);
  },
});
