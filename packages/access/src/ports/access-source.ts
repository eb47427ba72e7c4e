import type { StoredAccess } from '../model/stored-access.ts';

/** Reads the roles and bindings that requests are authorized with. */
export interface AccessSource {
  /** Must return every role and binding and their version, from one snapshot. */
  load(): Promise<StoredAccess>;

  /** Must return the version that is stored now. */
  version(): Promise<string>;
}

/**
 * Thrown when roles or bindings changed after the request was authorized, before anything is written. The request is authorized again
 * with the current ones.
 */
export class StaleAccess extends Error {
  override readonly name = 'StaleAccess';

  constructor() {
    super('roles or bindings changed after the request was authorized');
  }
}
