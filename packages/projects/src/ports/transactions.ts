import type { AuditRecord } from '@platform/access';
import type { ChildRecords, Project, ProjectChild, ServiceAccount, Team } from '../model/records.ts';
import type { AddressTaken, Draft, ProjectDraft, ProjectOfAccount, TeamDraft } from './stores.ts';

/**
 * Runs changes of typed resources. Attack: a user is removed from a project while their request is in progress. Each change is
 * therefore authorized in its own transaction, on rows that stay locked until it ends.
 */
export interface ProjectTransactions {
  /** Must commit when `work` resolves and write nothing when it rejects; may run `work` again when it lost against others. */
  run<T>(work: (transaction: ProjectTransaction) => Promise<T>): Promise<T>;
}

/** One transaction. Every write is of a row that it has locked. */
export interface ProjectTransaction extends ChildWriters {
  /**
   * Must lock the project's row (`update` for a change of the project, `share` for one below it) and share-lock the team that owns
   * it, then read: what is returned stays true until the transaction ends. Null when there is no such project.
   */
  lockProject(name: string, mode: 'update' | 'share'): Promise<Project | null>;
  /** Must do the same, and lock the service account with that uid against deletion, when the project has it. */
  lockProjectForAccount(
    name: string,
    mode: 'update' | 'share',
    accountUid: string,
  ): Promise<ProjectOfAccount | null>;
  /** Must lock the team's row for a change, then read it; null when there is no such team. */
  lockTeam(name: string): Promise<Team | null>;
  /**
   * Must return how many different issuers the other service accounts of the account's project have, or null when one of them has its issuer:
   * then there is nothing to count. The caller has locked the project for `update`, so the answer stays true.
   */
  countOtherIssuers(
    account: Pick<ServiceAccount, 'projectUid' | 'uid' | 'issuerUrl'>,
  ): Promise<number | null>;
  /** Must store the record when the transaction commits, and only then. */
  audit(record: AuditRecord): Promise<void>;
  readonly projects: ProjectWriter;
  readonly teams: TeamWriter;
}

/** Changes locked projects. */
export interface ProjectWriter {
  /**
   * Must replace what the draft carries, but for uid, name and organization, and count the revision up. After `addressTaken` the caller must
   * end the transaction by throwing.
   */
  replace(
    draft: ProjectDraft,
  ): Promise<
    | AddressTaken
    | { readonly outcome: 'replaced'; readonly record: Project }
    | { readonly outcome: 'teamMissing' }
  >;
  /** Must delete the project with everything below it, credentials included. */
  remove(uid: string): Promise<void>;
}

/** Changes locked teams. */
export interface TeamWriter {
  /** Must replace the fields with the members, and count the revision up. */
  replace(draft: TeamDraft): Promise<Team>;
  /** Must refuse with `inUse` while the team owns a project. */
  remove(uid: string): Promise<'removed' | 'inUse'>;
}

/** The members of a record that a replace writes; everything else is fixed, or has a writer of its own. */
export type Changes<R extends ProjectChild> = Partial<Omit<R, keyof ProjectChild>>;

/** Changes one kind of resource below a project that is locked. */
export interface ChildWriter<R extends ProjectChild> {
  /** Must lock the row for a change, then read it; null when there is none. */
  lock(projectUid: string, name: string): Promise<R | null>;
  /**
   * Must refuse with `referenceMissing` when the record names a sibling that does not exist (a deployment its environment), and with
   * `clientIdTaken` when an extension of another project has the client id of this one: `app-a/b-c` and `app-a-b/c`.
   */
  insert(
    draft: Draft<R>,
  ): Promise<
    | { readonly outcome: 'created'; readonly record: R }
    | { readonly outcome: 'nameTaken' | 'clientIdTaken' | 'referenceMissing' }
  >;
  /** Must write these members of the locked row, no others, and count the revision up. */
  update(uid: string, changes: Changes<R>): Promise<R>;
  /** Must refuse with `inUse` while a sibling names the record (an environment with deployments). */
  remove(uid: string): Promise<'removed' | 'inUse'>;
}

/** The writer of each kind below a project. */
export type ChildWriters = { readonly [Name in keyof ChildRecords]: ChildWriter<ChildRecords[Name]> };
