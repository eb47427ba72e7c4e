import type { Clock, RandomBytes, Sealer } from '@platform/kernel';
import type { SpecPolicy } from '@platform/oauth-proxy';
import type { Identifiers } from '@platform/resources';
import type { Project, ProjectChild } from '../model/records.ts';
import type { Draft } from '../ports/stores.ts';
import type { Changes } from '../ports/transactions.ts';
import type { ProjectAction } from '../rules/access.ts';

/** What making a record may need. */
export interface KindContext {
  readonly project: Project;
  /** The e-mail address of the person who asks, in lower case; null for anybody else. */
  readonly callerEmail: string | null;
  /** The e-mail address of the person or service account who asks; null for anybody else. */
  readonly actor: string | null;
  readonly identifiers: Pick<Identifiers, 'uid'>;
  readonly random: RandomBytes;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly specPolicy: SpecPolicy;
  /** `server.public_url`. */
  readonly publicUrl: string;
}

/** A new record, and what only the answer to its creation shows. */
export interface NewRecord<R extends ProjectChild> {
  readonly draft: Draft<R>;
  readonly shownOnce: Readonly<Record<string, string>>;
}

/** All that is known of one kind of resource below projects; the endpoints are the same for each. */
export interface ChildKind<R extends ProjectChild, Body> {
  /** The collection in the path, e.g. `service-accounts`. */
  readonly plural: string;
  /** What listing and reading ask of the caller; writing asks `children.write` but where `create` says otherwise. */
  readonly actions: { readonly read: ProjectAction; readonly create: ProjectAction };
  /** Reads the body of a POST or PUT, before anything is looked up. Throws `validation_failed` with all faults. */
  read(body: unknown, context: Pick<KindContext, 'specPolicy'>): Body;
  /** Makes the record of a POST. */
  create(body: Body, context: KindContext): NewRecord<R>;
  /** What a PUT changes of the stored record. Throws `validation_failed` for what never changes. */
  replace(body: Body, stored: R, context: KindContext): Changes<R>;
  /** The record as answers show it, without secrets. */
  render(record: R, context: Pick<KindContext, 'project' | 'publicUrl'>): Rendered;
}

/** A record as answers show it. */
export type Rendered = Readonly<Record<string, unknown>> & {
  readonly uid: string;
  readonly name: string;
  readonly revision: number;
};
