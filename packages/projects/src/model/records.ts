import type { OAuthExtensionSpec, StoredClientSecret } from '@platform/oauth-proxy';
import type { ClaimPatterns } from '@platform/tokens';

/** Who owns a project: a person, or a team. */
export type ProjectOwner = { readonly user: string } | { readonly team: string };

/** Who may open a project behind the ingress: everyone with a session, or its people alone. */
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
  /** The addresses of the owning team's people; empty when a person owns it. Derived, never written. */
  readonly ownerTeamMembers: readonly string[];
  /** Its addresses (origin and path) that another project has; written by version 0.24.0, and trusted by nothing. Derived, never written. */
  readonly contested: readonly string[];
  /** 1 when created, one more with each change. */
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

/** What every resource below a project has. `name` is unique in the project for its kind. */
export interface ProjectChild {
  readonly uid: string;
  readonly projectUid: string;
  readonly name: string;
  readonly revision: number;
  readonly createdAt: string;
}

/** A place that deployments run in. */
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
  /** RFC 3339; null for a credential that an older release made, which does not expire. */
  readonly credentialExpiresAt: string | null;
  /** The e-mail address of who made or rotated it; null where an older release did. */
  readonly credentialCreatedBy: string | null;
  /** To the minute; null until the credential is used. */
  readonly credentialLastUsedAt: string | null;
  /** The credential before the last rotation, as long as it is valid. */
  readonly previousCredential: { readonly hash: string; readonly expiresAt: string } | null;
}

/** An OAuth extension with its sealed secrets. */
export interface Extension extends ProjectChild {
  readonly spec: OAuthExtensionSpec;
  /** The upstream client secret, sealed for this project and extension. */
  readonly sealedUpstreamSecret: string;
  /** Newest first; two while one is being rotated out. */
  readonly clientSecrets: readonly StoredClientSecret[];
}

/** The environment that every project has from the start. */
export const productionEnvironment = 'production';
