import { groupByKey } from '@platform/kernel';
import type { AccessRule } from './rule.ts';
import type { StoredAccess } from './stored-access.ts';
import { type AccessSubject, type CallerIdentity, subjectKey } from './subject.ts';

/** A binding with the rules of its role. */
export interface EffectiveBinding {
  readonly name: string;
  readonly role: string;
  readonly rules: readonly AccessRule[];
  /** The uid of the scope; null for a binding that covers everything. */
  readonly scope: string | null;
  readonly subjects: readonly AccessSubject[];
}

/** The roles and bindings of one version, indexed by subject. Immutable. */
export class AccessRules {
  readonly version: string;
  readonly bindings: readonly EffectiveBinding[];
  readonly #bySubject: ReadonlyMap<string, readonly EffectiveBinding[]>;
  readonly #serviceAccounts: ReadonlyMap<string, string>;
  readonly #scopes: ReadonlySet<string | null>;

  constructor({ version, roles, bindings, serviceAccounts }: StoredAccess) {
    this.version = version;
    this.#serviceAccounts = serviceAccounts;
    const rulesOf = new Map(roles.map(({ name, rules }) => [name, rules]));
    // A binding whose role does not exist grants nothing.
    this.bindings = bindings.map((binding) => ({ ...binding, rules: rulesOf.get(binding.role) ?? [] }));
    this.#scopes = new Set(bindings.map(({ scope }) => scope));
    this.#bySubject = groupByKey(
      this.bindings.flatMap((binding) =>
        [...new Set(binding.subjects.map(subjectKey))].map((key) => [key, binding] as const),
      ),
    );
  }

  /**
   * The bindings of a caller, each once.
   *
   * Attack: a project is deleted, and somebody creates one with the same name and a service account with the same address. So an account
   * counts only with the uid that has the address now.
   */
  bindingsOf({ subjects, serviceAccountUid }: CallerIdentity): readonly EffectiveBinding[] {
    const found = new Set<EffectiveBinding>();
    for (const subject of subjects) {
      const isFormer =
        subject.kind === 'ServiceAccount' && this.#serviceAccounts.get(subject.name) !== serviceAccountUid;
      if (isFormer) continue;
      for (const binding of this.#bySubject.get(subjectKey(subject)) ?? []) found.add(binding);
    }
    return [...found];
  }

  /** Whether a binding has the resource with this uid as its scope. */
  hasScope(uid: string): boolean {
    return this.#scopes.has(uid);
  }

  /** The uid of the service account that has the address now, if a binding names it. */
  serviceAccountUid(email: string): string | undefined {
    return this.#serviceAccounts.get(email);
  }

  /** Whether the subject may exist: false for a service account that was deleted. */
  isPresent({ kind, name }: AccessSubject): boolean {
    return kind !== 'ServiceAccount' || this.#serviceAccounts.has(name);
  }
}
