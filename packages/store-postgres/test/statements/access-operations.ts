import type { Operations } from './operation.ts';
import { deepest, uidOf } from './rows.ts';

/** Roles and bindings, and what the checks of requests ask about them. */
export const accessOperations: Operations = {
  'load of roles and bindings': {
    run: ({ access }) => access.load(),
    indexes: ['resources_name_key', 'service_accounts_email_key'],
    alternatives: ['service_accounts_pkey'],
    pages: 100,
    because: 'every role and binding, of which there are none here',
  },
  'version of roles and bindings': {
    run: ({ access }) => access.version(),
    indexes: [],
    pages: 10,
    because: 'one row',
  },
  'checks of a binding': {
    run: ({ transactions }) =>
      transactions.run(async ({ access }) => {
        await access.version();
        await access.lineage(uidOf('4', deepest));
        await access.role('viewer');
      }),
    indexes: ['resources_name_key', 'resources_pkey'],
    pages: 20,
    because: 'two rows',
  },
  'roles of the first start': {
    run: ({ transactions }) =>
      transactions.run(async ({ access }) => {
        await access.rolesCreated();
        await access.markRolesCreated();
      }),
    indexes: [],
    pages: 20,
    because: 'one row',
  },
};
