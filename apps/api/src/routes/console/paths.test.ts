import { Problem } from '@platform/kernel';
import type { Call } from '../../endpoint/call.ts';
import { consoleFamily } from './index.ts';

describe('the page of the console', () => {
  const family = consoleFamily(() => ({ page: '<!doctype html>', asset: () => null }));
  const at = (path: string) => family.handle({ method: 'GET', path, context: {} } as unknown as Call);

  it.each(['/console', '/console/', '/console/resources/example.dev/v1/widgets/a.b'])('is at %s', (path) => {
    expect(at(path)).toMatchObject({ status: 200 });
  });

  // Attack: a proxy passes what begins with /console, and a cache resolves the path and keeps this page under another one.
  it.each(['/console/../api/v1/auth/me', '/console/%2e%2e/x', '/console/..%2fx', '/console\\..\\x'])(
    'is not at %s',
    (path) => {
      expect(() => at(path)).toThrow(new Problem('unknown_endpoint', 'There is no endpoint at this path.'));
    },
  );
});
