import { Problem } from '@platform/kernel';
import type { WorkloadGrant } from '@platform/projects';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import { answerJson } from '../../http/answer.ts';
import { noStore } from '../../http/oauth-answer.ts';
import { bodyOf } from '../projects/request.ts';
import type { Route } from '../route.ts';

/** `mintWorkloadToken` with everything it needs. */
export type MintWorkloadToken = (
  credential: string,
  readBody: () => Promise<unknown>,
) => Promise<WorkloadGrant>;

/** `POST /api/v1/identity/token`: a deployment's bootstrap credential for a workload token. */
export function identityToken(mint: MintWorkloadToken, limits: AbuseLimits): Route {
  return {
    method: 'POST',
    path: '/api/v1/identity/token',
    // The credential is no token of the platform, so the gate cannot judge it.
    access: 'public',
    async handle(request, response) {
      limits.take(request);
      const credential = /^bearer +([\w-]{43}) *$/i.exec(request.headers.authorization ?? '')?.[1];
      if (credential === undefined)
        throw new Problem('unauthenticated', 'A bootstrap credential is required.');
      const { token, expiresIn, audience } = await mint(credential, bodyOf(request, limits.bodyLimit));
      answerJson(response, 200, { token, token_type: 'Bearer', expires_in: expiresIn, audience }, noStore);
    },
  };
}
