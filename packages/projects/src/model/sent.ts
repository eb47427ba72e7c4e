import type { Problem } from '@platform/kernel';

/**
 * A request body that was read and validated before the use case started: its value, or the problem with it.
 * Attack: a client holds the body back until after the authorization, which may be outdated when the body arrives.
 */
export type Sent<T> = ({ readonly value: T } | { readonly problem: Problem }) & {
  /** As the client sent it; undefined when it could not be read. */
  readonly body: unknown;
};

/** The members of a body that may have faults. */
export type SentMembers = Readonly<Record<string, unknown>>;

/** The value of a body. Call it after the authorization: a caller without access gets 403, whatever the body contains. */
export function valueOfSent<T>(sent: Sent<T>): T {
  if ('problem' in sent) throw sent.problem;
  return sent.value;
}
