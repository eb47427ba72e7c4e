import type { FlowStore } from '@platform/oauth-proxy';
import type { Sql } from '@platform/postgres';
import { peekCode } from './peek-code.ts';
import { saveFlow } from './save-flow.ts';
import { sweepFlows } from './sweep-flows.ts';
import { takeFlow } from './take-flow.ts';

/** Logins under way, for all replicas. */
export function createFlowStore(sql: Sql): FlowStore {
  return {
    saveState: (entry) => saveFlow(sql, 'oauth_states', entry),
    takeState: (key, now) => takeFlow(sql, 'oauth_states', key, now),
    saveCode: (entry) => saveFlow(sql, 'oauth_codes', entry),
    peekCode: (key, now) => peekCode(sql, key, now),
    consumeCode: async (key, now) => (await takeFlow(sql, 'oauth_codes', key, now)) !== null,
    async sweepExpired(now, limit) {
      const states = await sweepFlows(sql, 'oauth_states', now, limit);
      return states === limit ? states : states + (await sweepFlows(sql, 'oauth_codes', now, limit - states));
    },
  };
}
