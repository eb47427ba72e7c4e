import type { EffectiveBinding } from '../model/access-rules.ts';
import { type AccessVerb, namesOf } from '../model/rule.ts';
import { coversResource } from './match-rule.ts';

/** Rows of kinds that a binding grants a verb on, in the form in which a statement compares rows of every kind. */
export interface RowGrant {
  /** `*` for every group. */
  readonly group: string;
  /** `*` for every kind of the group. */
  readonly plural: string;
  /** The uid of the resource that it covers, with everything below; null for everything. */
  readonly scope: string | null;
  /** The name that it covers; null for every name. */
  readonly name: string | null;
}

/** The grants of a verb on items of every kind, each once. */
export function rowGrantsOf(bindings: readonly EffectiveBinding[], verb: AccessVerb): readonly RowGrant[] {
  const grants = bindings.flatMap(({ rules, scope }) =>
    rules.flatMap((rule) => {
      const plurals = rule.resources.filter((pattern) => !pattern.includes('/'));
      return rule.apiGroups.flatMap((group) =>
        plurals
          .filter((plural) => coversResource(rule, { verb, group, resource: plural }))
          .flatMap((plural) =>
            (namesOf(rule) ?? [null]).map((name): RowGrant => ({ group, plural, scope, name })),
          ),
      );
    }),
  );
  return [...new Map(grants.map((grant) => [JSON.stringify(grant), grant])).values()];
}
