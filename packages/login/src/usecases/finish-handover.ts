import { Problem, randomValue, secretHash } from '@platform/kernel';
import { type Handover, readHandover } from '../model/handover.ts';
import { readProjectPath } from '../rules/project-path.ts';
import type { LoginPorts } from './ports.ts';
import { handoverContext, startAddress } from './start-handover.ts';

/** How a visitor of a project is sent to the platform. */
export interface HandoverDeparture {
  readonly location: string;
  /** To be kept in a cookie of the project's host until the visitor comes back. */
  readonly bindingValue: string;
}

/**
 * Sends a visitor from the project's host to the platform. The browser keeps a random value, and the platform learns its hash:
 * a code that is issued for it is worth nothing in another browser. Tabs that log in at the same time share the value.
 */
export function beginHandover(
  { publicUrl, random }: Pick<LoginPorts, 'publicUrl' | 'random'>,
  visit: {
    readonly project: string;
    /** The origin that the visitor uses; null for that of the project's URL. */
    readonly origin: string | null;
    /** As the visitor asked for it; the root when it cannot be a path. */
    readonly path: string;
    readonly knownBinding: string | null;
  },
): HandoverDeparture {
  const { project, origin, knownBinding } = visit;
  const bindingValue =
    knownBinding !== null && /^[\w-]{43}$/.test(knownBinding) ? knownBinding : randomValue(random);
  const path = readProjectPath(visit.path) ?? '/';
  const request = { project, path, origin, binding: secretHash(bindingValue) };
  return { location: startAddress(publicUrl, request), bindingValue };
}

/**
 * Redeems a hand-over code on the project's host. It is consumed after every check has passed; of concurrent redemptions
 * one wins, because the row is deleted under its lock.
 *
 * Attack (login CSRF): somebody opens the callback URL of their own login in another person's browser, who would then use the
 * app in the attacker's name. The cookie of this browser must be the one that the code was issued for.
 */
export async function finishHandover(
  { once, sealer, clock }: Pick<LoginPorts, 'once' | 'sealer' | 'clock'>,
  answer: { readonly project: string; readonly code: string; readonly bindingValue: string | null },
): Promise<Handover> {
  const hash = secretHash(answer.code);
  const sealed = await once.peek(hash, Math.floor(clock.now() / 1000));
  const text = sealed === null ? null : sealer.unseal(sealed, handoverContext);
  const handover = text === null ? null : readHandover(text);
  if (handover === null || handover.project !== answer.project) throw staleHandover();
  if (answer.bindingValue === null || secretHash(answer.bindingValue) !== handover.binding) {
    throw staleHandover();
  }
  if (!(await once.consume(hash))) throw staleHandover();
  return handover;
}

function staleHandover(): Problem {
  return new Problem(
    'invalid_query',
    'This login was not started in this browser, took too long or is used up. Cookies must be allowed for this site.',
  );
}
