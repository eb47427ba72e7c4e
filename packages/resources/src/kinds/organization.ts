import { Problem } from '@platform/kernel';
import { z } from 'zod';
import { builtInCollection } from '../model/definition.ts';
import { requireValid } from '../rules/validate-body.ts';
import { type BuiltInKind, type KindStrategy, operatorsOnly } from './strategy.ts';

/** The collection of Organizations, the roots that projects, teams and registered kinds belong to. */
export const organizations = builtInCollection('organizations', 'Organization');

/** `spec` of an Organization: three known strings, and any other members. */
export const organizationSpec = z.looseObject({
  deploymentControllerClass: z.string().optional(),
  displayName: z.string().optional(),
  description: z.string().optional(),
});

/** Validates `spec`. Throws `validation_failed` with all faults. */
export function validateOrganizationSpec(spec: unknown): void {
  requireValid(organizationSpec, spec, '/spec');
}

const strategy: KindStrategy = {
  allowsOwnerReferences: false,

  allows: operatorsOnly,

  async validateCreate({ spec }) {
    validateOrganizationSpec(spec.value);
  },

  async validateUpdate({ spec }) {
    validateOrganizationSpec(spec.value);
  },

  /** Projects and teams are in tables of their own, so the dependents that the deletion locks do not include them. */
  async beforeDelete({ deletion }, { uid }) {
    if (!(await deletion.hasTypedChildren(uid))) return;
    throw new Problem(
      'organization_in_use',
      'Projects or teams belong to the organization; delete them first.',
    );
  },
};

/** Organization, with its rules. */
export const organizationKind: BuiltInKind = { collection: organizations, strategy };
