import type { OAuthExtensionSpec, StoredClientSecret } from '@platform/oauth-proxy';
import type { ClaimPatterns } from '@platform/tokens';

/** The owner of a project: a user or a team. */
export type ProjectOwner = { readonly user: string } | { readonly team: string };

/** The visitors of a project behind the ingress: everyone with a session, or its owner and members only. */
export type AccessClass = 'public' | 'private';

/** A project: the unit of ownership, below one Organization. */
export interface Project {
  readonly uid: string;
  readonly name: string;
  /** The name of its Organization, and the uid that links it. */
  readonly organization: string;
  readonly organizationUid: string;
  readonly accessClass: AccessClass;
  readonly url: string;
  readonly customDomains: readonly string[];
  readonly owner: ProjectOwner;
  /** E-mail addresses in lower case. */
  readonly members: readonly string[];
  /** The e-mail addresses of the owning team's members; empty if a user owns the project. Derived, never written. */
  readonly ownerTeamMembers: readonly string[];
  /** Its addresses (origin and path) that belong to another project, from before addresses were unique. Logins ignore them. Derived, never written. */
  readonly contested: readonly string[];
  /** 1 at creation, increased by one with each change. */
  readonly revision: number;
  /** RFC 3339 in UTC with milliseconds. */
  readonly createdAt: string;
}

/** A person in a team. Owners may change it. */
export interface TeamMember {
  readonly email: string;
  readonly role: 'owner' | 'member';
}

/** A team of people, below one Organization. */
export interface Team {
  readonly uid: string;
  readonly name: string;
  readonly organization: string;
  readonly organizationUid: string;
  readonly members: readonly TeamMember[];
  readonly revision: number;
  readonly createdAt: string;
}

/** The fields of all resources below a project. `name` is unique in the project for its kind. */
export interface ProjectChild {
  readonly uid: string;
  readonly projectUid: string;
  readonly name: string;
  readonly revision: number;
  readonly createdAt: string;
}

/** An environment in which deployments run. */
export type Environment = ProjectChild;

/** An external identity that may act for the project. */
export interface ServiceAccount extends ProjectChild {
  /** `<project>+<name>@sa.platform.local`. */
  readonly email: string;
  readonly issuerUrl: string;
  readonly claims: ClaimPatterns;
}

/** A running copy of the project's app. Its name is its uid. */
export interface Deployment extends ProjectChild {
  readonly environment: string;
  /** SHA-256 of the bootstrap credential, lower-case hex. */
  readonly credentialHash: string;
  /** RFC 3339; null for a credential of an older release, which does not expire. */
  readonly credentialExpiresAt: string | null;
  /** The e-mail address of the user or service account that created or rotated it; null for an older release. */
  readonly credentialCreatedBy: string | null;
  /** Exact to the minute; null before the first use. */
  readonly credentialLastUsedAt: string | null;
  /** Of the credential before the last rotation, and until when it is valid; null before the first rotation. */
  readonly previousCredentialHash: string | null;
  readonly previousCredentialExpiresAt: string | null;
}

/** An OAuth extension with its sealed secrets. */
export interface Extension extends ProjectChild {
  readonly spec: OAuthExtensionSpec;
  /** The upstream client secret, sealed for this project and extension. */
  readonly sealedUpstreamSecret: string;
  /** Newest first; two after a rotation. */
  readonly clientSecrets: readonly StoredClientSecret[];
}

/** The record of each kind below projects. Stores, writers and tables have these names, too. */
export interface ChildRecords {
  readonly environments: Environment;
  readonly serviceAccounts: ServiceAccount;
  readonly deployments: Deployment;
  readonly extensions: Extension;
}

/** The environment that every project has from the start. */
export const productionEnvironment = 'production';
