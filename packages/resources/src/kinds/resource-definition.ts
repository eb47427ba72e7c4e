import { type Fault, invalid } from '@platform/kernel';
import { z } from 'zod';
import { builtInCollection, type GroupKind } from '../model/definition.ts';
import { maxVersions, storedDefinitionSpec } from '../model/definition-spec.ts';
import { schemaTexts } from '../model/json-document.ts';
import type { JsonText } from '../model/resource.ts';
import { notFound } from '../model/target.ts';
import type { SchemaValidator } from '../ports/schema-validator.ts';
import { revisionConflict } from '../rules/prepare-replace.ts';
import {
  dependsOnInstances,
  maxCountedInstances,
  validateDefinitionDeletion,
  validateDefinitionEdit,
  validateDefinitionIdentity,
  validateDefinitionPlace,
  validateDefinitionSpec,
} from '../rules/validate-definition.ts';
import { readRelatedDefinitions, requireParent } from './related-definitions.ts';
import { requireAll, withFaultsOf } from './require-all.ts';
import { type BuiltInKind, type KindStrategy, operatorsOnly, type Proposed } from './strategy.ts';

/** The collection of the definitions that register kinds. */
export const resourceDefinitions = builtInCollection('resourcedefinitions', 'ResourceDefinition');

/** ResourceDefinition, with its rules. `isBuiltIn` tells which parents need no definition. */
export function resourceDefinitionKind(isBuiltIn: (kind: GroupKind) => boolean): BuiltInKind {
  return { collection: resourceDefinitions, strategy: strategyOf(isBuiltIn) };
}

/** Every write of a definition takes the catalog lock first: uniqueness and the chain of parents are checked against a stable set. */
function strategyOf(isBuiltIn: (kind: GroupKind) => boolean): KindStrategy {
  return {
    allowsOwnerReferences: false,

    allows: operatorsOnly,

    async validateCreate({ name, spec }, _collection, { schemas }) {
      await requireAll(
        () => validateDefinitionSpec(spec.value),
        () => validateDefinitionIdentity(name, spec.value),
        () => validateSchemas(schemas, spec),
      );
    },

    /** A stored schema stays valid, also when a new one like it would be refused. A new identity is first of all a conflict with instances. */
    async validateUpdate({ spec }, _collection, { schemas }, stored) {
      const { plural, versions } = storedDefinitionSpec(stored);
      const before = schemaTexts(stored.spec, versions.length);
      await withFaultsOf(
        () =>
          requireAll(
            () => validateDefinitionSpec(spec.value),
            () => validateSchemas(schemas, spec, before),
          ),
        () => validateDefinitionIdentity(stored.name, spec.value, plural),
      );
    },

    async checkReferences({ definitions }, spec, stored) {
      await requireParent(
        definitions,
        isBuiltIn,
        spec,
        stored === null ? null : storedDefinitionSpec(stored),
      );
    },

    async beforeCreate({ definitions }, proposed) {
      const spec = validateDefinitionSpec(proposed.spec.value);
      await definitions.lockCatalog();
      validateDefinitionPlace(spec, await readRelatedDefinitions(definitions, isBuiltIn, spec, null));
    },

    /** The row lock makes writes of instances wait, so that none is stored at a version that this edit removes. */
    async beforeUpdate({ definitions }, proposed, stored) {
      const spec = validateDefinitionSpec(proposed.spec.value);
      await definitions.lockCatalog();
      const revision = await definitions.lockDefinition(stored.uid);
      if (revision === null) throw notFound();
      if (revision !== stored.revision) throw revisionConflict(revision);
      const before = storedDefinitionSpec(stored);
      const self = { group: before.group, kind: before.kind, parent: before.parent, uid: stored.uid };
      const related = await readRelatedDefinitions(definitions, isBuiltIn, spec, self);
      const instances = dependsOnInstances(before, spec)
        ? await definitions.countInstances(stored.uid, before, maxCountedInstances)
        : new Map<string, number>();
      validateDefinitionEdit(before, spec, { instances, heightBelow: related.heightBelow });
      validateDefinitionIdentity(stored.name, spec, before.plural);
      validateDefinitionPlace(spec, related);
    },

    async lockBeforeUpdate({ definitions }) {
      await definitions.lockCatalog();
    },

    async lockBeforeDelete({ definitions }) {
      await definitions.lockCatalog();
    },

    async beforeDelete({ definitions }, stored) {
      const spec = storedDefinitionSpec(stored);
      const instances = await definitions.countInstances(stored.uid, spec, maxCountedInstances);
      validateDefinitionDeletion({ instances, heightBelow: await definitions.heightBelow(spec, 1) });
    },
  };
}

/** The versions of a spec that may have faults. */
const declared = z.object({ versions: z.array(z.unknown()).max(maxVersions).catch([]) });

/** Whether a text is an object or a boolean. Anything else is a fault of the spec. */
function isSchema(text: JsonText): boolean {
  return /^(?:\{|true$|false$)/.test(text);
}

/** Validates the JSON Schema of every version but the known ones. Throws `validation_failed` with the faults of all of them. */
async function validateSchemas(
  schemas: SchemaValidator,
  { value, text }: Proposed['spec'],
  known: readonly (JsonText | null)[] = [],
): Promise<void> {
  const { versions } = declared.parse(value);
  const faults: Fault[] = [];
  for (const [index, schema] of schemaTexts(text, versions.length).entries()) {
    if (schema === null || known.includes(schema) || !isSchema(schema)) continue;
    const found = await schemas.check(schema);
    faults.push(...found.map((fault) => ({ ...fault, path: `/spec/versions/${index}/schema${fault.path}` })));
  }
  if (faults.length > 0) throw invalid(faults);
}
