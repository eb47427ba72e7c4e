import type { AccessSource, StoredRole } from '@platform/access';
import type { ResourceIdentity } from '../model/resource.ts';

/** A row with everything that it is below. */
export interface Lineage {
  readonly identity: ResourceIdentity;
  readonly terminating: boolean;
  /** The uids of its ancestors; for a RoleBinding also that of its scope and those above the scope. */
  readonly within: readonly string[];
}

/**
 * The facts that the rules for roles and bindings need, inside a transaction. The version has another value after every write that adds
 * or removes a Role, a RoleBinding or a service account or changes the spec of one (SQL by hand included).
 */
export interface AccessFacts extends AccessSource {
  /** Must return the row with that uid, of any kind, or null. */
  lineage(uid: string): Promise<Lineage | null>;

  /** Must return the Role of that name, or null. */
  role(name: string): Promise<StoredRole | null>;

  /** Must return whether {@link markRolesCreated} was called and committed before, and make other transactions that ask wait. */
  rolesCreated(): Promise<boolean>;

  markRolesCreated(): Promise<void>;
}
