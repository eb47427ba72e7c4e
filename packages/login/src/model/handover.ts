import type { SessionFacts } from '@platform/tokens';
import { z } from 'zod';

/** How long a hand-over code is good for, in seconds: a browser needs one redirect for it. */
export const handoverSeconds = 60;
/** How long the value that binds a login to the browser is kept on the project's host, in seconds. */
export const bindingSeconds = 600;
/** Where a visitor arrives on the project's host. */
export const handoverPath = '/.platform/callback';

/** Who visits a project: the user of a session, with the facts of that session. */
export interface Visitor {
  readonly uid: string;
  readonly email: string;
  readonly session: SessionFacts;
}

/** The meaning of a hand-over code; kept sealed under the hash of the code. */
export interface Handover {
  readonly project: string;
  /** The origin on which the code is redeemed: that of the project's URL or a custom domain. */
  readonly origin: string;
  readonly path: string;
  /** Hash of the value that the browser holds in a cookie of that origin. */
  readonly binding: string;
  readonly visitor: Visitor;
}

const handoverShape = z.object({
  project: z.string(),
  origin: z.string(),
  path: z.string(),
  binding: z.string(),
  visitor: z.object({
    uid: z.string(),
    email: z.string(),
    session: z.object({
      expiresAt: z.number(),
      emailVerified: z.boolean(),
      account: z.object({ issuer: z.string(), subject: z.string() }).nullable(),
      groups: z.array(z.string()),
    }),
  }),
});

/** Reads an unsealed hand-over; null for anything else. */
export function readHandover(text: string): Handover | null {
  try {
    return handoverShape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
