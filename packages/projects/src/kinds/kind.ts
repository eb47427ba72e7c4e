import type { AuditAction } from '@platform/access';
import type { Clock, RandomBytes, Sealer } from '@platform/kernel';
import type { SpecPolicy } from '@platform/oauth-proxy';
import type { Identifiers } from '@platform/resources';
import type { z } from 'zod';
import type { ChildRecords, Project, ProjectChild } from '../model/records.ts';
import type { SentMembers } from '../model/sent.ts';
import type { Draft } from '../ports/stores.ts';
import type { Changes, ProjectTransaction } from '../ports/transactions.ts';
import type { ProjectAction } from '../rules/access.ts';

/** The dependencies and the request of the functions of a kind. */
export interface KindContext {
  readonly project: Project;
  /** The e-mail address of the calling user, in lower case; null for other callers. */
  readonly callerEmail: string | null;
  /** The e-mail address of the calling user or service account; null for other callers. */
  readonly actor: string | null;
  readonly identifiers: Pick<Identifiers, 'uid'>;
  readonly random: RandomBytes;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly specPolicy: SpecPolicy;
  /** `server.public_url`. */
  readonly publicUrl: string;
}

/** A new record, and the secrets that only the response to its creation contains. */
export interface NewRecord<R extends ProjectChild> {
  readonly draft: Draft<R>;
  readonly shownOnce: Readonly<Record<string, string>>;
}

/** How a PUT changes a record. */
export interface Replacement<R extends ProjectChild, Body> {
  /** Validates the body without the members that are read back; `name` is that of the path. Throws `validation_failed` with all faults. */
  read(sent: object, name: string, context: Pick<KindContext, 'specPolicy'>): Body;
  /** The changes to the stored record. */
  apply(body: Body, stored: R, context: KindContext): Changes<R>;
}

/** The noun of an action by which a record is changed. */
type NounOf<Action> = Action extends `${infer Noun}.updated` ? Noun : never;

/** A kind of resource below projects; the endpoints are the same for all kinds. */
export interface ChildKind<Name extends keyof ChildRecords, Body> {
  /** The name of its records, stores and writers. */
  readonly collection: Name;
  /** The collection in the path, e.g. `service-accounts`. */
  readonly plural: string;
  /** The kind in audit records, e.g. `ServiceAccount`. */
  readonly kindName: string;
  /** The first part of its actions in the audit log, and its name in messages. */
  readonly noun: NounOf<AuditAction>;
  /** The actions that the caller needs for reads and for creation. All other writes need `children.write`. */
  readonly actions: { readonly read: ProjectAction; readonly create: ProjectAction };
  /** The schema of the body of a POST. */
  body(clock: Pick<Clock, 'now'>): z.ZodType;
  /** Validates the body of a POST. Throws `validation_failed` with all faults. */
  read(sent: unknown, context: Pick<KindContext, 'specPolicy' | 'clock'>): Body;
  /**
   * Validates the body of a POST, which has other faults, against its project: siblings that it names, and secrets that were sealed for it.
   * Creating the record refuses the same in a body without other faults.
   */
  validateInProject?(sent: SentMembers, context: KindContext, transaction: ProjectTransaction): Promise<void>;
  /** Creates the record of a POST. */
  create(body: Body, context: KindContext): NewRecord<ChildRecords[Name]>;
  /** Members of its answers that a PUT may send back as they were read, besides those of every kind. */
  readonly readBack: readonly string[];
  /** How a PUT changes a record; null when all of its members are read back. */
  readonly replacement: Replacement<ChildRecords[Name], Body> | null;
  /**
   * Throws when the new or changed record conflicts with its siblings; `stored` is null for a new one. Called in the transaction that writes
   * the record. Writes of a kind with this rule lock the project for `update`, so that two of them do not pass it together.
   */
  admit?(
    record: Draft<ChildRecords[Name]>,
    stored: ChildRecords[Name] | null,
    transaction: ProjectTransaction,
  ): Promise<void>;
  /** The record as responses show it, without secrets. */
  render(record: ChildRecords[Name], context: Pick<KindContext, 'project' | 'publicUrl'>): Rendered;
}

/** A record as responses show it. */
export type Rendered = Readonly<Record<string, unknown>> & {
  readonly uid: string;
  readonly name: string;
  readonly revision: number;
};
