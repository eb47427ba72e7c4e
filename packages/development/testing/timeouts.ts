/** How many times as long as usual a test waits before it gives up: `.ci/run` sets it, because machines for everybody are slow at times. */
export const timeoutFactor = Number(process.env['PLATFORM_TEST_TIMEOUT_FACTOR'] ?? 1);

/** Timeouts of the database for services whose tests are about something else: the usual ones, longer where the machine is slow. */
export const databaseTimeouts = {
  read_timeout_ms: 5_000 * timeoutFactor,
  write_timeout_ms: 9_000 * timeoutFactor,
};

/** The timeouts of the database for stores that a test opens by itself. */
export const storeTimeouts = {
  readTimeoutMs: databaseTimeouts.read_timeout_ms,
  writeTimeoutMs: databaseTimeouts.write_timeout_ms,
};
