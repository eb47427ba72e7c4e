import type { Tree } from './tree.ts';

/**
 * What holds without a configuration file, before the environment has its say: an operator who is
 * also an admin. Refused in production, because everyone who reads this page knows these names.
 */
export function developmentSettings(): Tree {
  return {
    auth: {
      operator_users: ['admin@platform.localhost'],
      admin_users: ['admin@platform.localhost'],
    },
  };
}
