const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves with the first signal that asks this process to stop. Later ones are ignored: pnpm hands on a
 * Ctrl-C that the terminal has delivered already, and stopping is bounded in time anyway.
 */
export function stopRequest(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of signals) process.on(signal, resolve);
  });
}
