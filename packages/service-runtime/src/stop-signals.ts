/** The signals that stop a service. The hang-up of a terminal is no reason to end without finishing. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

const exit = () => process.exit(0);

/**
 * Makes the signals end a service with 0 while it loads its code, which takes seconds: there is nothing to finish yet. As process 1 of a
 * container it would ignore them without a handler.
 */
export function exitOnStopSignals(): void {
  for (const signal of stopSignals) process.on(signal, exit);
}

/**
 * Calls `stop` with each signal, instead of {@link exitOnStopSignals}: also with one that has come while code was loaded, and that waits for the
 * event loop. Without a listener in between, Node.js would forget it.
 */
export function onStopSignals(stop: (signal: string) => void): void {
  for (const signal of stopSignals) {
    process.on(signal, stop);
    process.off(signal, exit);
  }
}
