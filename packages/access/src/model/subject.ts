import { foldEmailCase } from '@platform/kernel';
import { z } from 'zod';

/**
 * A caller that a binding names: a user by e-mail address, a group by its value in the `groups` claim of the session, a service account
 * by e-mail address, or a controller by its id.
 */
export const accessSubject = z.strictObject({
  kind: z.enum(
    ['User', 'Group', 'ServiceAccount', 'Controller'],
    'must be User, Group, ServiceAccount or Controller',
  ),
  name: z.string().min(1, 'must not be empty').max(320),
});

/** A caller that a binding names. */
export type AccessSubject = z.output<typeof accessSubject>;

/** The identities of one caller. */
export interface CallerIdentity {
  readonly subjects: readonly AccessSubject[];
  /** The uid of a service account: a binding covers the account that has its address now, and no earlier one. */
  readonly serviceAccountUid?: string;
}

/** The key under which subjects are compared: addresses without case, everything else exactly. */
export function subjectKey({ kind, name }: AccessSubject): string {
  return `${kind}:${kind === 'User' || kind === 'ServiceAccount' ? foldEmailCase(name) : name}`;
}
