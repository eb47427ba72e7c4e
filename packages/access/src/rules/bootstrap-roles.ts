import type { AccessRule } from '../model/rule.ts';

const everything = { apiGroups: ['*'], resources: ['*'] };

/** The roles that the first start creates. They can be changed and deleted like every other role. */
export const bootstrapRoles: readonly { readonly name: string; readonly rules: readonly AccessRule[] }[] = [
  { name: 'viewer', rules: [{ ...everything, verbs: ['get', 'list', 'watch'] }] },
  {
    name: 'editor',
    rules: [{ ...everything, verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] }],
  },
  { name: 'admin', rules: [{ ...everything, verbs: ['*'] }] },
];
