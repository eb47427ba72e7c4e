/** How many times as long as usual a test waits before it gives up: `.ci/run` sets it, because machines for everybody are slow at times. */
export const patience = Number(process.env['PLATFORM_TEST_PATIENCE'] ?? 1);
