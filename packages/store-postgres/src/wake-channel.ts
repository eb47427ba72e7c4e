/** The channel that is notified, on commit, whenever the collector may have something to do. No payload. */
export const wakeChannel = 'platform_collector';

/** SQL, an expression of type text, that wakes the collector when the transaction commits. */
export const wakeCollector = `pg_notify('${wakeChannel}', '')::text`;
