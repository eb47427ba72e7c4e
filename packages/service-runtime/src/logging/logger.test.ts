import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import type { TraceIds } from '@platform/kernel';
import { createLogger, type LogOptions } from './logger.ts';

function logTo(options: Partial<LogOptions> = {}) {
  let written = '';
  let writes = 0;
  const destination = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      if (chunk.length > 0) writes += 1;
      done();
    },
  });
  const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6) };
  const logging = createLogger({
    level: 'info',
    format: 'json',
    service: 'api',
    destination,
    clock,
    ...options,
  });
  return {
    ...logging,
    writes: () => writes,
    async text() {
      await logging.close();
      return written;
    },
    async lines(): Promise<Record<string, unknown>[]> {
      const text = await this.text();
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    },
  };
}

const widget = { apiVersion: 'example.dev/v1', kind: 'Widget', name: 'w', uid: 'u-1', parentUid: null };

describe('a line', () => {
  it('is one JSON object with time, level, message, service and its fields', async () => {
    const log = logTo();
    log.logger.info('listening', { port: 8080 });
    expect(await log.text()).toBe(
      '{"timestamp":"2026-01-02T03:04:05.006Z","level":"info","message":"listening","service":"api","port":8080}\n',
    );
  });

  it('below the level is not written', async () => {
    const log = logTo({ level: 'warn' });
    log.logger.info('quiet');
    log.logger.warn('loud');
    expect((await log.lines()).map(({ message }) => message)).toEqual(['loud']);
    expect([log.isEnabled('info'), log.isEnabled('error')]).toEqual([false, true]);
  });

  it('contains the ids of the current span, also in audit records', async () => {
    let ids: TraceIds | null = null;
    const log = logTo({ traceIds: () => ids });
    log.logger.info('outside');
    ids = { trace_id: 't', span_id: 's' };
    log.logger.info('inside', { port: 1 });
    const actor = { type: 'system', id: 'x' } as const;
    log.audit.record({ message: 'resource.created', requestId: 'r-1', actor, resource: widget, revision: 1 });
    const [outside, inside, audit] = await log.lines();
    expect(outside).not.toHaveProperty('trace_id');
    expect(inside).toMatchObject({ trace_id: 't', span_id: 's', port: 1 });
    expect(audit).toMatchObject({ trace_id: 't', span_id: 's', target: 'platform::audit' });
  });

  it('cannot be forged by its fields', async () => {
    const log = logTo();
    log.logger.info('real', { target: 'platform::audit', message: 'forged', level: 'error', timestamp: 'x' });
    const [line] = await log.lines();
    expect(line).toEqual({
      timestamp: '2026-01-02T03:04:05.006Z',
      level: 'info',
      message: 'real',
      service: 'api',
    });
  });

  it('as text stays on one line, even with control characters from a request', async () => {
    const log = logTo({ format: 'text' });
    log.logger.warn('odd\nname', { path: '/a', note: 'x\u001b[31m y' });
    expect(await log.text()).toBe('03:04:05.006 warn  odd\\nname path=/a note="x\\u001b[31m y"\n');
  });

  it('as text leaves out fields without a value, as JSON does', async () => {
    const log = logTo({ format: 'text' });
    const actor = { type: 'operator', id: 'me' } as const;
    log.logger.info('listed', { port: undefined, name: null });
    log.audit.record({ message: 'resource.pending_deletion_listed', requestId: 'r-1', actor });
    expect(await log.text()).toBe(
      '03:04:05.006 info  listed name=null\n' +
        '03:04:05.006 info  [platform::audit] resource.pending_deletion_listed requestId=r-1 actor={"type":"operator","id":"me"}\n',
    );
  });

  it('contains an error with its code and cause, without other members that libraries add', async () => {
    const log = logTo();
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', config: { headers: 'h' } });
    log.logger.error('failed', { error: new Error('outer', { cause }) });
    const [line] = await log.lines();
    expect(line?.['error']).toMatchObject({
      name: 'Error',
      message: 'outer',
      cause: { message: 'refused', code: 'ECONNREFUSED' },
    });
    expect(JSON.stringify(line)).not.toContain('headers');
  });

  // Accident: the disk is full for a moment, and has taken a part of a line.
  it('does not go on in one that was cut', async () => {
    let written = '';
    let isFull = true;
    // Goes on after an error, as standard output does.
    const events = new EventEmitter();
    const destination = Object.assign(events, {
      write(chunk: string, done?: () => void) {
        written += isFull ? chunk.slice(0, 20) : chunk;
        if (isFull) events.emit('error', new Error('ENOSPC'));
        done?.();
      },
    });
    const log = logTo({ destination: destination as unknown as Writable });
    const next = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    log.logger.info('cut');
    await next();
    isFull = false;
    log.logger.info('whole');
    await next();
    log.logger.info('also whole');
    await log.close();
    const [cut, ...lines] = written.trim().split('\n');
    expect(cut).toHaveLength(20);
    expect(lines.map((line) => JSON.parse(line).message)).toEqual(['whole', 'also whole']);
  });

  it('can contain values that JSON cannot represent', async () => {
    const log = logTo();
    const loop: Record<string, unknown> = { big: 12n, bytes: new Uint8Array(3) };
    loop['self'] = loop;
    log.logger.info('odd', { loop });
    const [line] = await log.lines();
    expect(line?.['loop']).toMatchObject({ big: '12', bytes: '[3 bytes]' });
  });
});

describe('secrets', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl';
  it.each([
    ['a value under a secret-sounding key', { client_secret: 'hunter2' }],
    ['a header', { headers: { Authorization: 'hunter2', 'set-cookie': ['hunter2'] } }],
    ['a credential in a text', { note: 'sent Bearer hunter2 to it' }],
    ['a password in a URL', { url: 'postgres://me:hunter2@db/x' }],
    ['a list of credentials', { list: [{ password: 'hunter2' }] }],
    ['a JWT in a text', { note: `got ${jwt}` }],
    ['a private key', { note: '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----' }],
    ['a client secret in a form', { note: 'sent grant_type=x&client_secret=hunter2&scope=y' }],
    ['a code in a redirect', { url: '/callback?code=hunter2&state=s' }],
    ['a code in an encoded address', { url: '/login?redirect=%2Fcallback%3Fcode%3Dhunter2%26state%3Ds' }],
    ['a code of a device', { note: 'sent device_code=hunter2&client_id=x' }],
    ['a code that a person types', { url: '/device?user_code=hunter2' }],
    ['a logout token', { note: 'logout_token=hunter2' }],
    ['a client secret in JSON', { note: 'body {"grant_type":"x","client_secret": "hunter2"}' }],
    ['a code in JSON', { note: `body {"grant_type":"x","code":"${'hunter2-'.repeat(5)}"}` }],
    ['a refresh token in a form', { note: 'refresh_token=hunter2' }],
    ['a refresh token of the OAuth proxy', { note: 'got platform_rt.v1.k1.hunter2 instead' }],
    ['a sealed text', { note: `column has v1.k1.${'hunter2_'.repeat(5)}` }],
    ['the message of an error', { error: new Error(`bad ${jwt} Bearer hunter2`) }],
  ])('are masked: %s', async (_, fields) => {
    const log = logTo();
    log.logger.info('attempt', fields);
    const text = await log.text();
    expect(text).toContain('[redacted]');
    expect(text).not.toMatch(/hunter2|eyJzdWIi/);
  });

  it('are masked in the message itself', async () => {
    const log = logTo();
    log.logger.info(`token ${jwt}`);
    expect(await log.text()).not.toContain('eyJzdWIi');
  });

  it('are not confused with harmless parameters and versions', async () => {
    const log = logTo();
    log.logger.info('done', {
      note: 'status_code=500 tokens=5 api v1.widgets.example barcode=7 code 500 "code":"not_found"',
    });
    expect(await log.text()).not.toContain('redacted');
  });

  it('are not confused with harmless values that have similar keys', async () => {
    const log = logTo();
    log.logger.info('cleaned up', { expiredTokens: 5, keyId: 'k1', secretsLoaded: true });
    expect((await log.lines())[0]).toMatchObject({ expiredTokens: 5, keyId: 'k1', secretsLoaded: true });
  });
});

describe('audit records', () => {
  it('have the documented members and are written at every level', async () => {
    const log = logTo({ level: 'error' });
    const actor = { type: 'operator', id: 'me@example.com' } as const;
    log.audit.record({ message: 'resource.created', requestId: 'r-1', actor, resource: widget, revision: 1 });
    expect(await log.lines()).toEqual([
      {
        timestamp: '2026-01-02T03:04:05.006Z',
        level: 'info',
        target: 'platform::audit',
        message: 'resource.created',
        requestId: 'r-1',
        actor,
        resource: widget,
        revision: 1,
      },
    ]);
  });

  it('contain the reason why each dependent was tombstoned', async () => {
    const log = logTo();
    const owner = { ...widget, name: 'owner' };
    const common = { owner, dependent: widget, blocking: true, revision: 2 };
    log.audit.cascaded(
      [
        { ...common, relationship: 'structuralChild' },
        { ...common, relationship: 'ownerReference' },
      ],
      { actor: { type: 'system', id: 'collector' }, requestId: null },
    );
    const lines = await log.lines();
    expect(lines.map(({ message, reason }) => [message, reason])).toEqual([
      ['resource.deletion_cascaded', 'parent_deleted'],
      ['resource.deletion_cascaded', 'owner_deleted'],
    ]);
    expect(lines[0]).toMatchObject({
      owner,
      dependent: widget,
      relationship: 'structuralChild',
      blocking: true,
    });
  });

  it('of a wide cascade do not block other lines, and none is lost at exit', async () => {
    const log = logTo();
    const cascades = Array.from({ length: 1_000 }, (_, revision) => ({
      owner: widget,
      dependent: widget,
      relationship: 'structuralChild' as const,
      blocking: true,
      revision,
    }));
    log.audit.cascaded(cascades, { actor: { type: 'system', id: 'x' }, requestId: null });
    log.logger.info('another');
    await new Promise((resolve) => setImmediate(resolve));
    log.logger.info('the next tick');
    const lines = await log.lines();
    const at = (wanted: string) => lines.findIndex(({ message }) => message === wanted);
    expect([at('another'), at('the next tick')]).toEqual([200, 401]);
    expect(lines.flatMap(({ revision }) => revision ?? [])).toEqual(cascades.map(({ revision }) => revision));
  });

  it('like lines of other targets, are written at every level', async () => {
    const log = logTo({ level: 'error' });
    log.target('platform::deprecation').warn('raw_external_token', { issuer: 'https://i.example' });
    expect((await log.lines())[0]).toMatchObject({ target: 'platform::deprecation', level: 'warn' });
  });
});

it('writes all lines of one tick together and loses none', async () => {
  const log = logTo();
  for (let index = 0; index < 5_000; index++) log.logger.info('line', { index });
  const lines = await log.lines();
  expect(lines.map(({ index }) => index)).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
  expect(log.writes()).toBe(1);
});
