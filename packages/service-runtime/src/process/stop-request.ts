/**
 * Calls `stop` once, with what asked for it: SIGTERM, SIGINT, or the end of the launcher, which shows in its IPC
 * channel closing, perhaps before anyone listened. Without the last, a killed launcher would leave its processes behind.
 */
export function onStopRequest(stop: (reason: string) => void): void {
  let asked = false;
  const once = (reason: string) => () => {
    if (asked) return;
    asked = true;
    stop(reason);
  };
  process.on('SIGTERM', once('SIGTERM'));
  process.on('SIGINT', once('SIGINT'));
  if (process.connected) process.on('disconnect', once('launcher gone'));
  else if (process.env['PLATFORM_LAUNCHED'] !== undefined) setImmediate(once('launcher gone'));
}
