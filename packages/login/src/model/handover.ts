import type { SessionFacts } from '@platform/tokens';
import { z } from 'zod';

/** How long a hand-over code is valid, in seconds: a browser needs one redirect for it. */
export const handoverSeconds = 60;
/** How long a browser keeps the value that binds a login to it, in seconds. */
export const bindingSeconds = 600;
/** The path on the project's host that redeems hand-over codes. */
export const handoverPath = '/.platform/callback';

/** The user who visits a project, with the facts of their session. */
export interface Visitor {
  readonly uid: string;
  readonly email: string;
  readonly session: SessionFacts;
}

/** A request to hand a visitor over to a project's host. */
export interface HandoverRequest {
  readonly project: string;
  readonly path: string;
  /** The origin that the visitor uses; null for that of the project's URL. */
  readonly origin: string | null;
  /** Hash of the value in the browser's cookie; null before the project's host has set one. */
  readonly binding: string | null;
}

/** The record that a hand-over code stands for; stored sealed under the hash of the code. */
export interface Handover {
  readonly project: string;
  /** The origin on which the code is redeemed: that of the project's URL or of a custom domain. */
  readonly origin: string;
  readonly path: string;
  /** Hash of the value that the browser holds in a cookie of that origin. */
  readonly binding: string;
  readonly visitor: Visitor;
}

const handoverSchema = z.object({
  project: z.string(),
  origin: z.string(),
  path: z.string(),
  binding: z.string(),
  visitor: z.object({
    uid: z.string(),
    email: z.string(),
    session: z.object({
      // Codes of the previous release, which live a minute, do not have these two members.
      id: z.string().default(''),
      startedAt: z.number().default(0),
      expiresAt: z.number(),
      emailVerified: z.boolean(),
      account: z.object({ issuer: z.string(), subject: z.string() }).nullable(),
      groups: z.array(z.string()),
    }),
  }),
});

/** Reads an unsealed hand-over; null for any other text. */
export function readHandover(text: string): Handover | null {
  try {
    return handoverSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
