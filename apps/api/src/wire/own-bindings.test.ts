import { AccessRulesCache, type AccessSource, type StoredAccess } from '@platform/access';
import { StorageUnavailable } from '@platform/kernel';
import { ownBindings } from './own-bindings.ts';

const robot = { type: 'service_account', uid: 'u', email: 'ci@sa.example', project: 'p' } as const;
const stored: StoredAccess = {
  version: 'v1',
  roles: [{ name: 'reader', rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get'] }] }],
  bindings: [
    {
      name: 'robots',
      role: 'reader',
      scope: null,
      subjects: [{ kind: 'ServiceAccount', name: robot.email }],
    },
  ],
  serviceAccounts: new Map([[robot.email, robot.uid]]),
};

/** A store that can be away. */
function source() {
  const state = { away: false, asked: 0 };
  const unlessAway = async <T>(answer: T) => {
    state.asked += 1;
    if (state.away) throw new StorageUnavailable('The database is away.');
    return answer;
  };
  const port: AccessSource = { load: () => unlessAway(stored), version: () => unlessAway(stored.version) };
  return { state, bindingsOf: ownBindings(new AccessRulesCache(port)) };
}

describe('the bindings of a caller', () => {
  it('are those that were read last while the database is away', async () => {
    const { state, bindingsOf } = source();
    const found = [{ name: 'robots', role: 'reader', scope: null }];
    expect(await bindingsOf(robot)).toEqual(found);
    state.away = true;
    expect(await bindingsOf(robot)).toEqual(found);
  });

  it('are not known when nothing was read before', async () => {
    const { state, bindingsOf } = source();
    state.away = true;
    await expect(bindingsOf(robot)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('are not asked for operators, who need none', async () => {
    const { state, bindingsOf } = source();
    expect(await bindingsOf({ type: 'operator', uid: 'o', email: 'o@example.dev', admin: false })).toEqual(
      [],
    );
    expect(state.asked).toBe(0);
  });
});
