import type { AuditRecord } from '@platform/access';
import type { ChildRecords, Project, ProjectChild, Team } from '../model/records.ts';

/** A page by name (byte order): up to `limit` entries after `after`. */
export interface PageQuery {
  readonly limit: number;
  readonly after: string | null;
}

/** A page as a request asks for it. */
export interface PageRequest extends PageQuery {
  /** The list that the token of the next page is bound to: its path. */
  readonly list: string;
}

/** One page; `more` says whether entries follow. */
export interface PageOf<T> {
  readonly items: readonly T[];
  readonly more: boolean;
}

/** Whose projects or teams are listed. */
export interface Viewer {
  readonly email: string;
  /** Sees everything of the default Organization. */
  readonly admin: boolean;
  /** Sees everything of every other Organization. */
  readonly operator: boolean;
}

/** How an insert below an Organization ended; everything but `created` wrote nothing. */
export type OrganizationInsert<T> =
  | { readonly outcome: 'created'; readonly record: T }
  | {
      readonly outcome:
        | 'nameTaken'
        | 'organizationMissing'
        | 'organizationTerminating'
        | 'teamMissing'
        | 'organizationAndTeamMissing';
    };

/** How the insert of a project ended. */
export type ProjectInsert = OrganizationInsert<Project> | AddressTaken | NameReserved;

/** A project of that name was deleted, at a time in RFC 3339, too short a while ago; nothing was written. */
export interface NameReserved {
  readonly outcome: 'nameReserved';
  readonly deletedAt: string;
}

/** An address of the draft belongs to another project; nothing was written. The list is empty when the other one was written meanwhile. */
export interface AddressTaken {
  readonly outcome: 'addressTaken';
  readonly addresses: readonly string[];
}

/** The written fields of a project. `organization` is a name. */
export type ProjectDraft = Omit<
  Project,
  'organizationUid' | 'ownerTeamMembers' | 'contested' | 'revision' | 'createdAt'
>;

/** Reads projects. Names are unique across Organizations. Changes are made in {@link ProjectTransactions}. */
export interface ProjectStore {
  find(name: string): Promise<Project | null>;
  /** Must tell in the same look-up whether the project has a service account with that uid. */
  findForAccount(name: string, accountUid: string): Promise<ProjectOfAccount | null>;
  list(viewer: Viewer, defaultOrganization: string, page: PageQuery): Promise<PageOf<Project>>;
  /** Whether the address (origin and path, without a slash at the end) is the URL or a custom domain of a project. */
  hasAddress(address: string): Promise<boolean>;

  /**
   * Must insert the project and its `production` environment, linked to the live Organization of that name, whose row is
   * locked `FOR KEY SHARE`: a deletion of the Organization either sees the project or makes this `organizationTerminating`.
   * A name that a project had which was deleted after `reservedSince` (RFC 3339) is `nameReserved`; null takes it all the same.
   * Of two projects that are given one address, however close together, one is `addressTaken`.
   */
  insert(
    draft: ProjectDraft,
    production: { readonly uid: string },
    reservedSince: string | null,
    /** Must be stored with the project, and only then. */
    audit: AuditRecord,
  ): Promise<ProjectInsert>;
}

/** The written fields of a team. */
export type TeamDraft = Omit<Team, 'organizationUid' | 'revision' | 'createdAt'>;

/** Reads teams. Names are unique across Organizations. Changes are made in {@link ProjectTransactions}. */
export interface TeamStore {
  find(name: string): Promise<Team | null>;
  list(viewer: Viewer, defaultOrganization: string, page: PageQuery): Promise<PageOf<Team>>;
  /** Whether there is an Organization of that name, which may be terminating. */
  hasOrganization(name: string): Promise<boolean>;
  /** Must link the team, and store the record, like {@link ProjectStore.insert}. */
  insert(draft: TeamDraft, audit: AuditRecord): Promise<OrganizationInsert<Team>>;
}

/** A record that is not stored yet. */
export type Draft<R extends ProjectChild> = Omit<R, 'revision' | 'createdAt'>;

/** Reads one kind of resource below projects. Changes are made in {@link ProjectTransactions}. */
export interface ChildStore<R extends ProjectChild> {
  find(projectUid: string, name: string): Promise<R | null>;
  list(projectUid: string, page: PageQuery): Promise<PageOf<R>>;
}

/** The store of each kind below projects. */
export type ChildStores = { readonly [Name in keyof ChildRecords]: ChildStore<ChildRecords[Name]> };

/** A project, and whether a service account of it exists still. */
export interface ProjectOfAccount {
  readonly project: Project;
  readonly accountExists: boolean;
}

/** The identity of a bootstrap credential. */
export interface DeploymentIdentity {
  readonly deployment: string;
  readonly environment: string;
  readonly project: string;
  readonly projectUid: string;
}

/** Finds deployments by their credentials. */
export interface DeploymentDirectory {
  /**
   * Must return the deployment that has a bootstrap credential with that SHA-256 (hex) which has not expired at `now` (milliseconds), or
   * null; a deleted one is gone for the next call. Must note that the current credential is in use, with at most one write a minute.
   */
  findByCredentialHash(hash: string, now: number): Promise<DeploymentIdentity | null>;
}
