import { AccessRules } from '@platform/access';
import { organizations } from '../kinds/organization.ts';
import type { BoundCaller } from '../model/caller.ts';
import { parsePath } from '../model/path.ts';
import type { PlacedRow } from '../ports/resource-reader.ts';
import { type AccessCheckPorts, type AccessQuestion, allowedSubjects, checkAccess } from './check-access.ts';

const question = {
  verb: 'list',
  path: parsePath('platform.dev/v1alpha1/organizations'),
} as unknown as AccessQuestion;

/** Bindings with a scope each, of which only the last one exists. */
const rules = new AccessRules({
  version: '1',
  roles: [
    { name: 'r', rules: [{ apiGroups: ['platform.dev'], resources: ['organizations'], verbs: ['list'] }] },
  ],
  bindings: Array.from({ length: 300 }, (_, index) => ({
    name: `b${index}`,
    role: 'r',
    scope: `s${index}`,
    subjects: [{ kind: 'User', name: `u${index}@b.example` }],
  })),
  serviceAccounts: new Map(),
});

function portsThatCount() {
  const asked: string[] = [];
  const reader = {
    async reach() {
      asked.push('reach');
      return { version: '1', uids: [], item: null };
    },
    async places(uids: readonly string[]): Promise<readonly Pick<PlacedRow, 'uid' | 'within'>[]> {
      asked.push('places');
      return uids.includes('s299') ? [{ uid: 's299', within: [] }] : [];
    },
  };
  const catalog = {
    resolve: <T>(_group: string, _plural: string, ask: (view: object) => Promise<T>) =>
      ask({ collection: organizations, fresh: true }),
  };
  return { asked, ports: { reader, catalog } as unknown as AccessCheckPorts };
}

// Attack: somebody with thousands of bindings asks about a hundred paths, each with a statement for every binding.
describe('a question about access', () => {
  it('of a caller with many bindings reads their scopes once', async () => {
    const { asked, ports } = portsThatCount();
    const caller: BoundCaller = { type: 'user', email: 'a@b.example', access: rules };
    expect(await checkAccess(ports, caller, question)).toMatchObject({ binding: 'b299' });
    expect(asked).toEqual(['reach', 'places']);
  });

  it('about the subjects of many bindings reads their scopes once', async () => {
    const { asked, ports } = portsThatCount();
    expect(await allowedSubjects(ports, rules, question)).toEqual([
      { kind: 'User', name: 'u299@b.example', binding: 'b299' },
    ]);
    expect(asked).toEqual(['reach', 'places']);
  });
});
