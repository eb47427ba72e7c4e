import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeTimers, settled } from '@platform/development/testing';
import { type Scripted, scriptedFetch } from '../../test/scripted-fetch.ts';
import { exchangedToken, exchangeToken } from './exchanged-token.ts';
import { fileToken } from './token-source.ts';

const minted = (token: string): Scripted => ({ status: 200, body: { access_token: token, expires_in: 600 } });
const refused: Scripted = { status: 400, body: { error: 'invalid_grant', error_description: 'no' } };

function setUp(script: Scripted[], identity?: string) {
  const timers = new FakeTimers();
  const { fetch, seen } = scriptedFetch(script);
  let made = 0;
  const source = exchangedToken({
    baseUrl: 'http://platform.test',
    subject: { token: async () => `external ${++made}` },
    fetch,
    timers,
    ...(identity === undefined ? {} : { identity }),
  });
  return { timers, seen, source };
}

describe('an exchanged token', () => {
  it('is requested as in RFC 8693', async () => {
    const { seen, source } = setUp([minted('a')], 'shop+ci@sa.platform.local');
    expect(await source.token()).toBe('a');
    expect(seen[0]).toMatchObject({ method: 'POST', target: '/api/v1/auth/token' });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'external 1',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      identity: 'shop+ci@sa.platform.local',
    });
  });

  it('is exchanged once for concurrent requests', async () => {
    const { seen, source } = setUp([minted('a')]);
    expect(await Promise.all([source.token(), source.token(), source.token()])).toEqual(['a', 'a', 'a']);
    expect(seen).toHaveLength(1);
  });

  it('is replaced in the background before it expires, with a new subject token', async () => {
    const { timers, seen, source } = setUp([minted('a'), minted('b')]);
    await source.token();
    await timers.advance(449_000);
    await source.token();
    expect(seen).toHaveLength(1);
    await timers.advance(1_000);
    expect(await source.token()).toBe('a');
    await settled();
    expect(await source.token()).toBe('b');
    expect(JSON.parse(seen[1]?.body ?? '').subject_token).toBe('external 2');
  });

  it('is used until it expires while the exchange fails, with a pause between attempts', async () => {
    const { timers, seen, source } = setUp([minted('a'), refused, refused, refused]);
    await source.token();
    await timers.advance(460_000);
    for (let second = 0; second < 10; second += 1) {
      expect(await source.token()).toBe('a');
      await timers.advance(1_000);
    }
    expect(seen).toHaveLength(3);
    await timers.advance(100_000);
    await expect(source.token()).rejects.toMatchObject({ code: 'invalid_grant' });
  });

  it('is dropped when the platform rejects it', async () => {
    const { source } = setUp([minted('a'), minted('b')]);
    source.rejected?.(await source.token());
    expect(await source.token()).toBe('b');
    source.rejected?.('a');
    expect(await source.token()).toBe('b');
  });
});

describe('one exchange', () => {
  it('takes the address of the platform as createClient does', async () => {
    const { fetch, seen } = scriptedFetch([{ status: 200, body: {} }]);
    await exchangeToken({ baseUrl: 'http://platform.test/', subject: 'x', fetch });
    expect(seen[0]?.target).toBe('/api/v1/auth/token');
    const wrong = exchangeToken({ baseUrl: 'platform.test', subject: 'x', fetch });
    await expect(wrong).rejects.toThrow('not a valid platform URL: platform.test');
  });

  it('ends with the reason of its signal, also while it waits for a retry', async () => {
    const stopping = new AbortController();
    const { fetch, seen } = scriptedFetch(() => ({ status: 503 }));
    const timers = new FakeTimers();
    const answer = exchangeToken({
      baseUrl: 'http://platform.test',
      subject: 'x',
      fetch,
      timers,
      signal: stopping.signal,
    });
    await settled();
    stopping.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    expect([seen.length, timers.waiting]).toEqual([1, 0]);
  });
});

describe('a token file', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'token-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('is read for each request', async () => {
    const file = join(directory, 'token');
    const source = fileToken(file);
    writeFileSync(file, 'one\n');
    expect(await source.token()).toBe('one');
    writeFileSync(`${file}.new`, 'two');
    renameSync(`${file}.new`, file);
    expect(await source.token()).toBe('two');
  });

  it('reports why it is unusable', async () => {
    writeFileSync(join(directory, 'empty'), '\n');
    await expect(fileToken(join(directory, 'empty')).token()).rejects.toThrow('is empty');
    await expect(fileToken(join(directory, 'none')).token()).rejects.toMatchObject({ code: 'no_token' });
  });
});
