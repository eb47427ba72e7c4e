/**
 * The channel that is notified, on commit, whenever the collector may have something to do. The triggers of `resources` do it
 * (drizzle/, "wake_collector"), so that no statement has to think of it.
 */
export const wakeChannel = 'platform_collector';
