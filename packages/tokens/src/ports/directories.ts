import type { ClaimPatterns } from '../matching/claim-patterns.ts';

/** One entry of `auth.controllers[]`. */
export interface ControllerEntry {
  readonly id: string;
  /** The exact `iss` of its tokens. */
  readonly issuer: string;
  /** The claims its tokens must carry; `aud` is among them. */
  readonly claims: ClaimPatterns;
}

/** The configured controllers. */
export interface ControllerDirectory {
  /** Every entry of `auth.controllers[]`; fixed while the process runs. */
  entries(): readonly ControllerEntry[];
}

/** A service account, as far as its tokens are concerned. */
export interface ServiceAccountRecord {
  readonly uid: string;
  readonly email: string;
  /** The name of its project. */
  readonly project: string;
  /** The exact `iss` of its tokens. */
  readonly issuerUrl: string;
  /** The claims its tokens must carry; `aud` and at least one more. */
  readonly claims: ClaimPatterns;
}

/** Finds the service accounts of projects. Each method is one indexed look-up. */
export interface ServiceAccountDirectory {
  /** The account with exactly this e-mail address, or undefined; users are not service accounts. */
  findByEmail(email: string): Promise<ServiceAccountRecord | undefined>;
  /** The accounts of this one project whose issuer is exactly `issuerUrl`, in bounded number and size; empty for an unknown project. */
  listByIssuer(project: string, issuerUrl: string): Promise<readonly ServiceAccountRecord[]>;
  /** Whether any account of any project has exactly this issuer. */
  hasIssuer(issuerUrl: string): Promise<boolean>;
}
