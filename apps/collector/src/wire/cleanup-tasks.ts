import type { Config } from '@platform/config';
import {
  clockMarginMs,
  createAuthorizationCodeStore,
  createDeviceAuthorizationStore,
  deleteExpiredAnswers,
  deleteExpiredPlans,
  deleteExpiredRateLimits,
  deleteExpiredSessions,
  deleteFreeNames,
  deleteLostSubscriptions,
  expireChanges,
  keepAuditPartitions,
  type Store,
} from '@platform/store-postgres';
import type { CleanupTask } from '../expiry-cleaner.ts';

/**
 * The tasks that delete expired rows, by the clock of the database. Nothing relies on it: each reader checks the expiry itself.
 *
 * The API writes and reads logins by its own clock. They are kept for longer, because an API whose clock is behind still finishes them,
 * and has to find the states that were used.
 */
export function cleanupTasksOn(
  { database, now }: Store,
  { changes, audit, projects }: Pick<Config, 'changes' | 'audit' | 'projects'>,
): readonly CleanupTask[] {
  const oauthStates = createAuthorizationCodeStore(database, 'oauthStates');
  const oauthCodes = createAuthorizationCodeStore(database, 'oauthCodes');
  const logins = createAuthorizationCodeStore(database, 'login');
  const devices = createDeviceAuthorizationStore(database);
  /** Rows that expired before this time have expired by the clock of every machine. */
  const everywhere = async () => (await now()) - clockMarginMs;
  const everyMinute = { intervalMs: 60_000 };
  return [
    {
      name: 'oauth_flows',
      ...everyMinute,
      async run(limit) {
        const states = await oauthStates.deleteExpired(await everywhere(), limit);
        return states === limit
          ? states
          : states + (await oauthCodes.deleteExpired(await everywhere(), limit - states));
      },
    },
    {
      name: 'changes',
      intervalMs: 10 * 60_000,
      run: (limit) =>
        expireChanges(
          database,
          { retentionDays: changes.retention_days, auditDays: audit.retention_days },
          limit,
        ),
    },
    {
      name: 'audit_records',
      // Partitions are made months ahead and dropped by the month.
      intervalMs: 3_600_000,
      run: async (limit) =>
        keepAuditPartitions(
          database,
          new Date((await now()) - audit.retention_days * 86_400_000).toISOString(),
          limit,
        ),
    },
    {
      name: 'logins',
      ...everyMinute,
      async run(limit) {
        const codes = await logins.deleteExpired(await everywhere(), limit);
        return codes === limit ? codes : codes + (await devices.deleteExpired(await now(), limit - codes));
      },
    },
    {
      name: 'sessions',
      ...everyMinute,
      run: async (limit) => deleteExpiredSessions(database, await now(), limit),
    },
    {
      name: 'answered_requests',
      ...everyMinute,
      run: (limit) => deleteExpiredAnswers(database, limit),
    },
    { name: 'subscriptions', ...everyMinute, run: (limit) => deleteLostSubscriptions(database, limit) },
    {
      name: 'project_names',
      intervalMs: 3_600_000,
      async run(limit) {
        const quarantine = projects.name_quarantine_days * 86_400_000;
        return await deleteFreeNames(database, new Date((await now()) - quarantine).toISOString(), limit);
      },
    },
    { name: 'deletion_plans', ...everyMinute, run: (limit) => deleteExpiredPlans(database, limit) },
    {
      name: 'rate_limits',
      ...everyMinute,
      run: async (limit) => deleteExpiredRateLimits(database, await now(), limit),
    },
  ];
}
