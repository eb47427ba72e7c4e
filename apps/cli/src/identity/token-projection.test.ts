import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeTimers } from '@platform/development/testing';
import { createClient } from 'platform-service-client';
import { projectTokens } from './token-projection.ts';

let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'tokens-')), 'tokens');
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

/** Runs the projection with a fake clock, against a platform that numbers its tokens. */
function run({ lifetime = 3600, audiences = ['aws'] } = {}) {
  const timers = new FakeTimers();
  const minted: string[] = [];
  const lines: string[] = [];
  let refusal: number | null = null;
  const platform = async (_url: unknown, init: RequestInit = {}) => {
    if (refusal !== null)
      return new Response('{"code":"unavailable","detail":"no database"}', { status: refusal });
    const { audience, ttl_seconds: ttl = lifetime } = JSON.parse(init.body as string);
    minted.push(audience);
    return new Response(JSON.stringify({ token: `${audience}-${minted.length}`, expires_in: ttl }));
  };
  const stopping = new AbortController();
  const client = createClient({
    baseUrl: 'http://platform.test',
    token: 'credential',
    fetch: platform as typeof fetch,
    timers,
    retry: { attempts: 1 },
  });
  const projections = audiences.map((audience) => ({ file: audience, audience }));
  const ended = projectTokens({
    client,
    directory,
    projections,
    timers,
    signal: stopping.signal,
    log: (line) => lines.push(line),
  });
  const stop = async () => {
    stopping.abort();
    await ended;
  };
  return { timers, minted, lines, stop, refuseWith: (status: number | null) => (refusal = status) };
}

const token = (file = 'aws') => readFileSync(join(directory, file), 'utf8');

describe('token projection', () => {
  it('mints again when half of the lifetime has passed, and not before', async () => {
    const { timers, minted, stop } = run();
    await timers.advance(0);
    expect(token()).toBe('aws-1');
    await timers.advance(1_799_000);
    expect(minted).toHaveLength(1);
    await timers.advance(1_000);
    expect(token()).toBe('aws-2');
    await timers.advance(1_800_000);
    expect(token()).toBe('aws-3');
    await stop();
    expect(timers.waiting).toBe(0);
  });

  it('writes files that only their owner can read, and leaves no temporary files', async () => {
    const { timers, stop } = run({ audiences: ['aws', 'vault'] });
    const before = process.umask(0);
    await timers.advance(0);
    process.umask(before);
    expect(readdirSync(directory).sort()).toEqual(['aws', 'vault']);
    expect(statSync(join(directory, 'aws')).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    await stop();
  });

  it('replaces a file atomically: a process that has it open reads the old token', async () => {
    const { timers, stop } = run();
    await timers.advance(0);
    const before = statSync(join(directory, 'aws')).ino;
    await timers.advance(1_800_000);
    expect(statSync(join(directory, 'aws')).ino).not.toBe(before);
    await stop();
  });

  it('keeps the old token while renewal fails, and retries with backoff up to a minute', async () => {
    const { timers, lines, refuseWith, stop } = run();
    await timers.advance(0);
    refuseWith(503);
    await timers.advance(1_800_000);
    expect(token()).toBe('aws-1');
    await timers.advance(300_000);
    const waits = lines.slice(1).map((line) => Number(/retrying in (\d+) s$/.exec(line)?.[1]));
    expect(waits.slice(0, 8)).toEqual([1, 2, 3, 6, 12, 24, 45, 45]);
    expect(lines[1]).toContain('aws: unavailable: no database');
    refuseWith(null);
    await timers.advance(60_000);
    expect(token()).toBe('aws-2');
    await timers.advance(1_740_000);
    refuseWith(503);
    await timers.advance(60_000);
    const written = lines.findLastIndex((line) => line.includes('written'));
    expect(lines[written + 1]).toMatch(/retrying in 1 s$/);
    await stop();
  });
});
