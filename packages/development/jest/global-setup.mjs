import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Plain JavaScript, because jest runs it without the transform of the tests.

// Its input ends without a line when jest dies before the teardown, e.g. by Ctrl-C.
const guard = `
read -r line && exit 0
if read -r pid < "$1/postgres/postmaster.pid"; then
  kill -QUIT "$pid"
  while kill -0 "$pid"; do sleep 0.1; done
fi
rm -rf "$1"
`;

/** Makes the directory in which the first test file in need of PostgreSQL starts it; starts nothing itself. */
export default function globalSetup() {
  const directory = mkdtempSync(join(tmpdir(), 'platform-test-'));
  const child = spawn('/bin/sh', ['-c', guard, 'sh', directory], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  child.stdin.unref();
  process.env.PLATFORM_TEST_POSTGRES = directory;
  process.env.PLATFORM_TEST_RUN = randomBytes(4).toString('hex');
  globalThis.platformTestGuard = child;
}
