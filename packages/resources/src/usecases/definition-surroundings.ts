import { type GroupKind, maxParentChain } from '../model/definition.ts';
import { groupOf } from '../model/names.ts';
import type { DefinitionSpec } from '../model/schemas.ts';
import type { DefinitionFacts } from '../ports/definition-facts.ts';
import type { DefinitionSurroundings } from '../rules/judge-definition.ts';
import { isBuiltInKind, storedDefinitionSpec } from '../rules/resolve-collection.ts';

/** Chains are read one step beyond the limit, so that the rule sees that they exceed it. */
const chainBound = maxParentChain + 1;

/** Reads what a definition has to fit in with. `self` is the stored one, when it is edited. */
export async function definitionSurroundings(
  facts: DefinitionFacts,
  spec: DefinitionSpec,
  self: (GroupKind & { readonly uid: string }) | null,
): Promise<DefinitionSurroundings> {
  const claimants = await facts.claiming(spec.plural, spec, self?.uid ?? null);
  const heightBelow = self === null ? 0 : await facts.heightBelow(self, chainBound);
  return { claimants: claimants.map(storedDefinitionSpec), heightBelow, ...(await parentOf(facts, spec)) };
}

async function parentOf(
  facts: DefinitionFacts,
  spec: DefinitionSpec,
): Promise<Pick<DefinitionSurroundings, 'parentChain' | 'parentTerminating'>> {
  if (spec.parent == null) return { parentChain: [], parentTerminating: false };
  const parent = { group: groupOf(spec.parent.apiVersion), kind: spec.parent.kind };
  if (isBuiltInKind(parent)) return { parentChain: [parent], parentTerminating: false };
  const rows = await facts.chain(parent, chainBound);
  const [nearest] = rows;
  if (nearest === undefined) return { parentChain: null, parentTerminating: false };
  const specs = rows.map(storedDefinitionSpec);
  const topParent = specs.at(-1)?.parent;
  const top =
    topParent == null
      ? []
      : [{ group: groupOf(topParent.apiVersion), kind: topParent.kind }].filter(isBuiltInKind);
  return { parentChain: [...specs, ...top], parentTerminating: nearest.deletionTimestamp !== null };
}
