import { z } from 'zod';
import { builtInVersion, type GroupKind, maxParentChain } from '../model/definition.ts';
import { type DefinitionSpec, definitionSpec, storedDefinitionSpec } from '../model/definition-spec.ts';
import { groupOf } from '../model/names.ts';
import type { DefinitionFacts } from '../ports/definitions.ts';
import { type RelatedDefinitions, validateParentExists } from '../rules/validate-definition.ts';

/** One step more than allowed, so that the rule can see that a chain is too long. */
const chainBound = maxParentChain + 1;

/** Reads the definitions that a new or changed one must be consistent with. `self` is the stored definition of an edit. */
export async function readRelatedDefinitions(
  facts: DefinitionFacts,
  isBuiltIn: (kind: GroupKind) => boolean,
  spec: DefinitionSpec,
  self: (Pick<DefinitionSpec, 'group' | 'kind' | 'parent'> & { readonly uid: string }) | null,
): Promise<RelatedDefinitions> {
  const claimants = await facts.claiming(spec.plural, spec, self?.uid ?? null);
  // A definition that SQL removed, and that is registered again, has those below it still.
  const heightBelow = await facts.heightBelow(self ?? spec, chainBound);
  const { parentVersions, ...parent } = await parentOf(facts, isBuiltIn, spec);
  const isNewKind = self === null || self.group !== spec.group || self.kind !== spec.kind;
  return {
    claimants: claimants.map(storedDefinitionSpec),
    heightBelow,
    parentOfInstances: isNewKind ? await facts.parentOfInstances(spec) : undefined,
    parentVersions: keepsParent(self, spec) ? null : parentVersions,
    ...parent,
  };
}

/** A definition stays editable when its parent loses the version that it names. */
function keepsParent(
  stored: Pick<DefinitionSpec, 'parent'> | null,
  { parent }: Pick<DefinitionSpec, 'parent'>,
): boolean {
  return stored !== null && stored.parent?.apiVersion === parent?.apiVersion;
}

const legibleParent = z.object({ parent: definitionSpec.shape.parent });

/** Throws when a spec, which may have other faults, names a parent that no definition declares. `stored` is the spec before an edit. */
export async function requireParent(
  facts: DefinitionFacts,
  isBuiltIn: (kind: GroupKind) => boolean,
  spec: unknown,
  stored: DefinitionSpec | null,
): Promise<void> {
  const { data } = legibleParent.safeParse(spec);
  if (data === undefined) return;
  const { parentChain, parentVersions } = await parentOf(facts, isBuiltIn, data);
  validateParentExists(data, {
    parentChain,
    parentVersions: keepsParent(stored, data) ? null : parentVersions,
  });
}

async function parentOf(
  facts: DefinitionFacts,
  isBuiltIn: (kind: GroupKind) => boolean,
  spec: Pick<DefinitionSpec, 'parent'>,
): Promise<Pick<RelatedDefinitions, 'parentChain' | 'parentVersions' | 'parentTerminating'>> {
  if (spec.parent == null) return { parentChain: [], parentVersions: null, parentTerminating: false };
  const parent = { group: groupOf(spec.parent.apiVersion), kind: spec.parent.kind };
  if (isBuiltIn(parent))
    return { parentChain: [parent], parentVersions: [builtInVersion], parentTerminating: false };
  const rows = await facts.chain(parent, chainBound);
  const [nearest] = rows;
  if (nearest === undefined) return { parentChain: null, parentVersions: null, parentTerminating: false };
  const specs = rows.map(storedDefinitionSpec);
  // A built-in kind, or one without a definition, whose registration must not close a circle.
  const topParent = specs.at(-1)?.parent;
  const top = topParent == null ? [] : [{ group: groupOf(topParent.apiVersion), kind: topParent.kind }];
  return {
    parentChain: [...specs, ...top],
    parentVersions: storedDefinitionSpec(nearest).versions.map(({ name }) => name),
    parentTerminating: nearest.deletionTimestamp !== null,
  };
}
