import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Session, type SessionOptions } from '../src/session/session.ts';
import { FakeTerminal } from './fake-terminal.ts';

const names = ['PLATFORM_URL', 'PLATFORM_CONTEXT', 'PLATFORM_TOKEN', 'PLATFORM_TOKEN_FILE'];
const sessionOf = (env: Readonly<Record<string, string>>) => new Session(new FakeTerminal({ env }), {});

it('an empty variable of the environment counts as missing', () => {
  const session = sessionOf(Object.fromEntries(names.map((name) => [name, ''])));
  expect([session.url, session.name, session.credential]).toEqual([
    'http://localhost:8080',
    'default',
    undefined,
  ]);
  expect(() => session.client()).toThrow('not logged in at http://localhost:8080');
});

it('PLATFORM_TOKEN_FILE comes before PLATFORM_TOKEN', () => {
  const env = { PLATFORM_TOKEN: 'x', PLATFORM_TOKEN_FILE: '/token' };
  expect(sessionOf(env).credential).toBe('PLATFORM_TOKEN_FILE');
});

describe('--context', () => {
  const env = { PLATFORM_URL: 'http://staging.example', PLATFORM_TOKEN: 'of staging' };
  const contexts = {
    production: { url: 'http://production.example', token: 'of production' },
    bare: { url: 'http://bare.example' },
  };
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'contexts-'));
  });

  afterEach(() => rmSync(home, { recursive: true }));

  function sessionOf(options: SessionOptions) {
    const given = { ...env, PLATFORM_CLI_CONFIG: join(home, 'config.yaml'), PLATFORM_KEYRING: 'off' };
    const session = new Session(new FakeTerminal({ env: given }), options);
    session.save({ current: 'bare', contexts });
    return session;
  }

  // Otherwise a deletion that is meant for one platform happens on another one.
  it('counts more than the address and the token of the environment', async () => {
    const session = sessionOf({ context: 'production' });
    expect([session.url, await session.token(), session.credential]).toEqual([
      'http://production.example',
      'of production',
      undefined,
    ]);
  });

  it('of a context without a login takes the token of the environment', async () => {
    const session = sessionOf({ context: 'bare' });
    expect([session.url, await session.token()]).toEqual(['http://bare.example', 'of staging']);
  });

  it('counts less than --url', () => {
    expect(sessionOf({ context: 'production', url: 'http://other.example' }).url).toBe(
      'http://other.example',
    );
  });

  it('that does not exist is refused, also with an address in the environment', () => {
    expect(() => sessionOf({ context: 'nope' }).client()).toThrow('context nope does not exist');
  });

  it('left out, the environment counts more than the current context', async () => {
    const session = sessionOf({});
    expect([session.url, await session.token()]).toEqual(['http://staging.example', 'of staging']);
  });
});
