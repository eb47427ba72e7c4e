import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildOnce, databaseTimeouts, testDatabase } from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import { ApiProcesses, ready } from './api-process.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });
const processes = new ApiProcesses(() => database.url);
const organizations = '/api/v1/resources/platform.dev/v1alpha1/organizations';
const mebibyte = 1024 * 1024;

beforeAll(() => buildOnce(), 120_000);

/** A session of an operator, signed with the secret of the processes. */
function session(): string {
  const now = Math.floor(Date.now() / 1000);
  const issuer = 'http://localhost:1';
  const claims = { iss: issuer, aud: issuer, sub: 'u-1', email: 'ann@example.dev', iat: now, exp: now + 300 };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', Buffer.alloc(32)).update(signed).digest('base64url')}`;
}

/** The most memory that a process has had, in bytes. */
function peakOf(pid: number | undefined): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

(process.platform === 'linux' ? it : it.skip)(
  'concurrent pages of large items stay within the memory of a pod (skipped without /proc)',
  async () => {
    const child = await processes.start({
      PLATFORM__AUTH__OPERATOR_USERS: '[ann@example.dev]',
      PLATFORM__DATABASE__READ_TIMEOUT_MS: `${databaseTimeouts.read_timeout_ms}`,
    });
    const url = await ready(child);
    await database.sql`insert into resources (uid, api_version, kind, name, discriminator, spec)
      select gen_random_uuid(), 'platform.dev/v1alpha1', 'Organization', 'large-' || n, lpad('a' || n, 8, 'a'),
        json_build_object('text', repeat('x', 1000000)) from generate_series(100, 179) n`;
    const before = peakOf(child.pid);
    const headers = { Authorization: `Bearer ${session()}` };
    const statuses: number[] = [];
    const read = async () => {
      const answer = await fetch(`${url}${organizations}?limit=100`, { headers });
      statuses.push(answer.status);
      for await (const _ of answer.body ?? []);
    };
    await Promise.all(Array.from({ length: 4 }, read));
    const grown = (peakOf(child.pid) - before) / mebibyte;
    // Pages of all 80 MB take the process beyond it.
    expect(grown).toBeLessThan(400);
    expect(statuses).toEqual([200, 200, 200, 200]);
  },
  120_000,
);
