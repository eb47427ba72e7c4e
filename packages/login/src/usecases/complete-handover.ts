import { hasHash, Problem } from '@platform/kernel';
import { type Handover, readHandover } from '../model/handover.ts';
import { findCode } from './one-time-codes.ts';
import type { LoginPorts } from './ports.ts';
import { handoverContext } from './start-handover.ts';

/**
 * Redeems a hand-over code on the project's host. The code is consumed after all checks have passed; exactly one of concurrent
 * redemptions succeeds.
 *
 * Attack (login CSRF): an attacker opens the callback URL of their own login in another user's browser, who then uses the
 * app in the attacker's name. The cookie of this browser must be the one that the code was issued for.
 */
export async function completeHandover(
  ports: Pick<LoginPorts, 'codes' | 'sealer' | 'clock' | 'endedSessions'>,
  callback: { readonly project: string; readonly code: string; readonly bindingValue: string | null },
): Promise<Handover> {
  const code = await findCode(ports, callback.code, handoverContext, readHandover);
  if (code === null || code.record.project !== callback.project) throw invalidHandover();
  if (callback.bindingValue === null || !hasHash(callback.bindingValue, code.record.binding)) {
    throw invalidHandover();
  }
  const { visitor } = code.record;
  // Attack: the session ends while the code is on its way, and the host of the project lets the visitor in for an hour.
  if (await ports.endedSessions.hasEnded({ ...visitor, ...visitor.session })) throw invalidHandover();
  if (!(await code.consume())) throw invalidHandover();
  return code.record;
}

function invalidHandover(): Problem {
  return new Problem(
    'invalid_query',
    'This login was not started in this browser, took too long or was already completed. Cookies must be allowed for this site.',
  );
}
