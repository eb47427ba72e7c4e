import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';
import { recordingLogger } from './recording-logger.ts';

/**
 * URL of the PostgreSQL that all test files of one jest run share: `TEST_DATABASE_URL`, or an embedded
 * one that the first file in need of it starts. `jest/global-setup.mjs` made its directory, and stops it.
 */
export async function testServer(): Promise<string> {
  const external = process.env['TEST_DATABASE_URL'];
  if (external !== undefined && external !== '') return external;
  const directory = process.env['PLATFORM_TEST_POSTGRES'];
  if (directory === undefined) throw new Error('testDatabase() needs the globalSetup of jest.config.ts');
  if (tookLock(join(directory, 'starting'))) await start(directory);
  return waitForUrl(directory);
}

// mkdir is atomic: of several workers one starts the server, the others wait for its URL.
function tookLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

async function start(directory: string): Promise<void> {
  const log = recordingLogger();
  const outcome = await startEmbeddedPostgres({
    dataDir: directory,
    durable: false,
    detached: true,
    log,
  }).then(
    ({ url }) => ({ url }),
    (error: Error) => ({ failure: error.message }),
  );
  writeFileSync(join(directory, 'outcome.draft'), JSON.stringify(outcome), { mode: 0o600 });
  renameSync(join(directory, 'outcome.draft'), join(directory, 'outcome.json'));
}

async function waitForUrl(directory: string): Promise<string> {
  const file = join(directory, 'outcome.json');
  while (!existsSync(file)) await delay(20);
  const outcome: { url?: string; failure?: string } = JSON.parse(readFileSync(file, 'utf8'));
  if (outcome.url === undefined) throw new Error(`no PostgreSQL for the tests: ${outcome.failure}`);
  return outcome.url;
}
