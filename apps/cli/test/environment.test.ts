import { Session } from '../src/session/session.ts';
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
