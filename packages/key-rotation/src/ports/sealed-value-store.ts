import type { SealedKind, SealedValue } from '../model/sealed-value.ts';

/** A part of the sealed values of one kind. */
export interface SealedPage {
  readonly values: readonly SealedValue[];
  /** The id of the last row that was read, also of one without values; null when there are no more rows. */
  readonly last: string | null;
}

/** When keys or secrets of one kind were created. Times are RFC 3339. */
export interface Ages {
  readonly count: number;
  readonly oldest: string | null;
  readonly newest: string | null;
}

/** When the bootstrap credentials of deployments expire. */
export interface CredentialEnds {
  readonly count: number;
  /** Those of releases in which they did not expire. */
  readonly withoutEnd: number;
  /** RFC 3339; null when none expires. */
  readonly nextExpiry: string | null;
}

/** The ages of what the database has: keys that sign ID tokens of extensions, client secrets of apps, and bootstrap credentials. */
export interface SecretAges {
  readonly signingKeys: Ages;
  readonly clientSecrets: Ages;
  readonly credentials: CredentialEnds;
}

/** Reads and replaces sealed values while the service runs. */
export interface SealedValueStore {
  /** Must return the values of the `limit` rows that follow `after` in the order of the ids. Leaves out what has expired. */
  page(kind: SealedKind, after: string | null, limit: number): Promise<SealedPage>;
  /**
   * Must write `sealed` in place of the value and return true, in one step; must return false and write nothing when the row is gone or
   * no longer contains the value. The revision of the row stays, because what the value means does not change.
   */
  replace(kind: SealedKind, value: SealedValue, sealed: string): Promise<boolean>;
  /**
   * Must return the ages of all signing keys of extensions, retired ones included, and of the secrets that are valid. A client secret of a
   * release that did not note the time counts as old as its extension.
   */
  secretAges(): Promise<SecretAges>;
}
