import { StaleAccess, type StoredRole } from '@platform/access';
import { Problem } from '@platform/kernel';
import type { Caller } from '../model/caller.ts';
import type { Resource } from '../model/resource.ts';
import type { AccessFacts, Lineage } from '../ports/access-facts.ts';
import type { Transaction } from '../ports/transactions.ts';
import { roleKind } from './role.ts';
import { roleBindingKind } from './role-binding.ts';
import type { Proposed, ProposedUpdate } from './strategy.ts';

const acme = '11111111-1111-4111-8111-111111111111';
const web = '22222222-2222-4222-8222-222222222222';
const other = '33333333-3333-4333-8333-333333333333';

const lineageOf = (uid: string, name: string, within: readonly string[], terminating = false): Lineage => ({
  identity: { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization', name, uid, parentUid: null },
  terminating,
  within,
});
const lineages = new Map([
  [acme, lineageOf(acme, 'acme', [])],
  [web, lineageOf(web, 'web', [acme])],
  [other, lineageOf(other, 'other', [])],
]);
const read = { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] };
const write = { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'create', 'update'] };
const stored = new Map<string, StoredRole>([
  ['reader', { name: 'reader', rules: [read as never] }],
  ['writer', { name: 'writer', rules: [write as never] }],
  ['all', { name: 'all', rules: [{ ...read, verbs: ['*'] } as never] }],
]);
const access: AccessFacts = {
  load: async () => ({ version: 'v1', roles: [], bindings: [], serviceAccounts: new Map() }),
  version: async () => 'v1',
  lineage: async (uid) => lineages.get(uid) ?? null,
  role: async (name) => stored.get(name) ?? null,
  rolesCreated: async () => true,
  markRolesCreated: async () => {},
};
const transaction = { access } as Transaction;

const operator: Caller = { type: 'operator', email: 'root@example.dev' };
/** A user who has the role in the scope. */
const user = (role: string, scope: string | null, version = 'v1'): Caller => ({
  type: 'user',
  email: 'ada@example.dev',
  access: {
    version,
    bindings: [{ name: 'b', role, rules: stored.get(role)?.rules ?? [], scope, subjects: [] }],
  },
});
const proposal = (spec: object): Proposed => ({
  name: 'new',
  spec: { value: spec, text: JSON.stringify(spec) },
});
const storedAs = ({ spec }: Proposed): Resource =>
  ({ name: 'stored', labels: {}, metadata: '{"annotations":{}}', spec: spec.text }) as never;
const replacing = (proposed: Proposed, changes: object): ProposedUpdate => ({
  ...proposed,
  labels: {},
  metadata: '{"annotations":{}}',
  ...changes,
});
const scopeOf = (uid: string) => ({
  apiVersion: 'platform.dev/v1alpha1',
  kind: 'Organization',
  name: lineages.get(uid)?.identity.name ?? 'missing',
  uid,
});
const bindingOf = (role: string, scope: string | null) =>
  proposal({ roleRef: { name: role }, subjects: [], ...(scope === null ? {} : { scope: scopeOf(scope) }) });

const missing = '99999999-9999-4999-8999-999999999999';

async function outcome(run: Promise<void> | undefined): Promise<string> {
  try {
    await run;
    return 'allowed';
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

describe('a new binding', () => {
  const create = (caller: Caller, role: string, scope: string | null) =>
    outcome(
      roleBindingKind.strategy.beforeCreate?.(transaction, bindingOf(role, scope), {
        caller,
        verb: 'create',
      }),
    );

  it.each([
    ['an operator, for everything', operator, 'all', null, 'allowed'],
    ['an operator, to a role that does not exist yet', operator, 'later', null, 'allowed'],
    ['an operator, with a scope that does not exist', operator, 'reader', missing, 'validation_failed'],
    ['a writer everywhere, of the same role', user('writer', null), 'writer', null, 'allowed'],
    ['a writer everywhere, of a smaller role in a scope', user('writer', null), 'reader', acme, 'allowed'],
    ['a writer everywhere, of a larger role', user('writer', null), 'all', acme, 'forbidden'],
    ['a writer in a scope, there', user('writer', acme), 'writer', acme, 'allowed'],
    ['a writer in a scope, below it', user('writer', acme), 'writer', web, 'allowed'],
    ['a writer in a scope, above it', user('writer', web), 'writer', acme, 'forbidden'],
    ['a writer in a scope, elsewhere', user('writer', acme), 'reader', other, 'forbidden'],
    ['a writer in a scope, for everything', user('writer', acme), 'reader', null, 'forbidden'],
    ['a writer in a scope, where nothing is', user('writer', acme), 'reader', missing, 'forbidden'],
    ['a writer, to a role that does not exist', user('writer', acme), 'later', acme, 'forbidden'],
    ['a reader', user('reader', null), 'reader', acme, 'forbidden'],
  ])('by %s', async (_who, caller, role, scope, expected) => {
    expect(await create(caller, role, scope)).toBe(expected);
  });

  it('is not decided by roles and bindings that have changed', async () => {
    await expect(create(user('writer', acme, 'v0'), 'reader', acme)).rejects.toThrow(StaleAccess);
  });

  it('needs a scope that is live and is the resource that the reference names', async () => {
    lineages.set(other, lineageOf(other, 'other', [], true));
    expect(await create(operator, 'reader', other)).toBe('validation_failed');
    lineages.set(other, lineageOf(other, 'other', []));
    const spec = { roleRef: { name: 'reader' }, scope: { ...scopeOf(acme), name: 'else' } };
    expect(
      await outcome(
        roleBindingKind.strategy.beforeCreate?.(transaction, proposal(spec), {
          caller: operator,
          verb: 'create',
        }),
      ),
    ).toBe('validation_failed');
  });
});

describe('a changed binding', () => {
  const update = (caller: Caller, from: Proposed, to: Proposed, changes: object = {}) =>
    outcome(
      roleBindingKind.strategy.beforeUpdate?.(transaction, replacing(to, changes), storedAs(from), {
        caller,
        verb: 'update',
      }),
    );

  it('needs the permissions of its new role and its new scope', async () => {
    const writer = user('writer', acme);
    expect(await update(writer, bindingOf('reader', acme), bindingOf('writer', web))).toBe('allowed');
    expect(await update(writer, bindingOf('reader', acme), bindingOf('all', acme))).toBe('forbidden');
    expect(await update(writer, bindingOf('reader', acme), bindingOf('reader', other))).toBe('forbidden');
    expect(await update(writer, bindingOf('reader', acme), bindingOf('reader', null))).toBe('forbidden');
  });

  it('needs none when its spec stays the same', async () => {
    expect(await update(user('writer', acme), bindingOf('all', acme), bindingOf('all', acme))).toBe(
      'allowed',
    );
  });

  it.each([{ labels: { team: 'a' } }, { metadata: '{"annotations":{"a":"b"}}' }])(
    'needs those of its role for %j too, as in Kubernetes',
    async (changes) => {
      const same = bindingOf('all', acme);
      expect(await update(user('writer', acme), same, same, changes)).toBe('forbidden');
      expect(await update(user('all', acme), same, same, changes)).toBe('allowed');
    },
  );

  it('may keep a scope that is gone', async () => {
    const changed = proposal({ roleRef: { name: 'writer' }, scope: scopeOf(missing) });
    expect(await update(operator, bindingOf('reader', missing), changed)).toBe('allowed');
  });
});

describe('a role', () => {
  const rules = (role: string) => proposal({ rules: stored.get(role)?.rules });
  const create = (caller: Caller, role: string) =>
    outcome(roleKind.strategy.beforeCreate?.(transaction, rules(role), { caller, verb: 'create' }));

  it('has only permissions that its writer has everywhere', async () => {
    expect(await create(operator, 'all')).toBe('allowed');
    expect(await create(user('writer', null), 'writer')).toBe('allowed');
    expect(await create(user('writer', null), 'all')).toBe('forbidden');
    expect(await create(user('writer', acme), 'reader')).toBe('forbidden');
  });

  it('gains only permissions that its writer has everywhere', async () => {
    const update = (from: string, to: string, changes: object = {}) =>
      outcome(
        roleKind.strategy.beforeUpdate?.(transaction, replacing(rules(to), changes), storedAs(rules(from)), {
          caller: user('writer', null),
          verb: 'update',
        }),
      );
    expect(await update('reader', 'writer')).toBe('allowed');
    expect(await update('reader', 'all')).toBe('forbidden');
    expect(await update('all', 'all')).toBe('allowed');
    expect(await update('all', 'all', { labels: { team: 'a' } })).toBe('forbidden');
  });
});
