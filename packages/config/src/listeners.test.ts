import { listenersConflict } from './listeners.ts';

describe('two listeners on one port', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['0.0.0.0', '127.0.0.1', true],
    ['0.0.0.0', 'localhost', true],
    ['0.0.0.0', '::', true],
    ['::', '127.0.0.1', true],
    ['::', '::1', true],
    ['0:0::0', '::1', true],
    ['::ffff:127.0.0.1', '127.0.0.1', true],
    ['0.0.0.0', '::ffff:10.0.0.1', true],
    ['0.0.0.0', '::1', false],
    ['127.0.0.1', '::1', false],
    ['127.0.0.1', '127.0.0.2', false],
    ['999.1.1.1', '127.0.0.1', false],
  ])('%s and %s conflict: %s', (one, other, conflict) => {
    const [first, second] = [one, other].map((host) => ({ host, port: 8080 })) as [never, never];
    expect(listenersConflict(first, second)).toBe(conflict);
    expect(listenersConflict(second, first)).toBe(conflict);
  });

  it('never conflict on different ports', () => {
    expect(listenersConflict({ host: '::', port: 8080 }, { host: '::', port: 8081 })).toBe(false);
  });
});
