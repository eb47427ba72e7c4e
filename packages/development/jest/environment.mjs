import { TestEnvironment } from 'jest-environment-node';

/** How many times as long as its limit a test or hook may take. The limits are for hanging tests and measure nothing. */
const timeoutFactor = Number(process.env.PLATFORM_TEST_TIMEOUT_FACTOR ?? 1);

/** Node.js with longer timeouts on slow machines. A file may set `globalThis.tellOfFailure` to print what it saw when a test fails. */
export default class PlatformEnvironment extends TestEnvironment {
  async handleTestEvent(event) {
    if (event.name === 'hook_start') giveTime(event.hook);
    if (event.name === 'test_fn_start') giveTime(event.test);
    if (event.name === 'test_fn_failure') await this.global.tellOfFailure?.(event.test.name);
  }
}

const given = new WeakSet();

/** Gives time to a test or hook with a limit of its own; jest.config.ts has the usual one. A hook runs for each test, and is given its time once. */
function giveTime(work) {
  if (work.timeout === undefined || given.has(work)) return;
  given.add(work);
  work.timeout *= timeoutFactor;
}
