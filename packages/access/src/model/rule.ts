import { z } from 'zod';

/** The verbs that rules grant. */
export const accessVerbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'restore',
] as const;

/** A verb of a request. */
export type AccessVerb = (typeof accessVerbs)[number];

const group = z
  .string()
  .max(253)
  .regex(/^(\*|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/, 'must be an API group or *');
const resource = z
  .string()
  .max(317)
  .regex(
    /^(\*|[a-z0-9]([a-z0-9-]*[a-z0-9])?)(\/(\*|[a-z0-9]([a-z0-9-]*[a-z0-9])?))?$/,
    'must be a plural, <plural>/<subresource>, or *',
  );
const verb = z.enum([...accessVerbs, '*'], `must be one of ${accessVerbs.join(', ')}, or *`);

/** The longest list in a rule. */
const maxEntries = 256;

/** One rule of a role: it grants each verb on each resource of each group. Kubernetes' `PolicyRule`. */
export const accessRule = z.strictObject({
  apiGroups: z.array(group).min(1, 'must name a group').max(maxEntries),
  resources: z.array(resource).min(1, 'must name a resource').max(maxEntries),
  /** Only these names; every name when absent or empty. */
  resourceNames: z.array(z.string().min(1).max(253)).max(maxEntries).optional(),
  verbs: z.array(verb).min(1, 'must name a verb').max(maxEntries),
});

/** One rule of a role. */
export type AccessRule = z.output<typeof accessRule>;

/** The most permissions of a role. Attack: a role of millions of them, whose comparison with those of its writer takes minutes. */
const maxPermissions = 4096;

/** `spec` of a Role. */
export const roleSpec = z
  .strictObject({ rules: z.array(accessRule).max(maxEntries).default([]) })
  .superRefine(({ rules }, context) => {
    if (rules.reduce((sum, rule) => sum + permissionsIn(rule), 0) <= maxPermissions) return;
    context.addIssue({
      code: 'custom',
      path: ['rules'],
      message: `must have at most ${maxPermissions} permissions (apiGroups x resources x resourceNames x verbs)`,
    });
  });

/** The names that a rule is limited to; null when it covers every name. */
export function namesOf({ resourceNames = [] }: AccessRule): readonly string[] | null {
  return resourceNames.length === 0 || resourceNames.includes('*') ? null : resourceNames;
}

function permissionsIn(rule: AccessRule): number {
  const names = namesOf(rule)?.length ?? 1;
  return rule.apiGroups.length * rule.resources.length * rule.verbs.length * names;
}
