import { grantFor, grantsOf, seesKind } from '../rules/grants.ts';
import { AccessRules } from './access-rules.ts';
import { roleSpec } from './rule.ts';
import { storedBinding, storedRole } from './stored-access.ts';

const read = { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] };
const acme = '11111111-1111-4111-8111-111111111111';

function rulesWith(bindings: Readonly<Record<string, object>>, serviceAccounts = new Map<string, string>()) {
  return new AccessRules({
    version: 'v1',
    roles: [storedRole('reader', { rules: [read] })],
    bindings: Object.entries(bindings).flatMap(([name, spec]) => storedBinding(name, spec) ?? []),
    serviceAccounts,
  });
}

const user = (name: string) => ({ subjects: [{ kind: 'User', name }] }) as const;
const namesOf = (rules: AccessRules, caller: Parameters<AccessRules['bindingsOf']>[0]) =>
  rules.bindingsOf(caller).map(({ name }) => name);

describe('the bindings of a caller', () => {
  const rules = rulesWith({
    u: { roleRef: { name: 'reader' }, subjects: [{ kind: 'User', name: 'Ada@Example.dev' }] },
    g: { roleRef: { name: 'reader' }, subjects: [{ kind: 'Group', name: 'Team' }] },
    c: { roleRef: { name: 'reader' }, subjects: [{ kind: 'Controller', name: 'ctrl' }] },
  });

  it('are found by address without case', () => {
    expect(namesOf(rules, user('ada@example.DEV'))).toEqual(['u']);
  });

  it('are found by group with case', () => {
    expect(namesOf(rules, { subjects: [{ kind: 'Group', name: 'Team' }] })).toEqual(['g']);
    expect(namesOf(rules, { subjects: [{ kind: 'Group', name: 'team' }] })).toEqual([]);
  });

  it('do not mix kinds of subjects', () => {
    expect(namesOf(rules, user('ctrl'))).toEqual([]);
  });

  it('cover a service account only with the uid that has its address now', () => {
    const subject = { kind: 'ServiceAccount', name: 'p+ci@sa.platform.local' } as const;
    const bound = rulesWith(
      { s: { roleRef: { name: 'reader' }, subjects: [subject] } },
      new Map([[subject.name, 'now']]),
    );
    expect(namesOf(bound, { subjects: [subject], serviceAccountUid: 'now' })).toEqual(['s']);
    expect(namesOf(bound, { subjects: [subject], serviceAccountUid: 'before' })).toEqual([]);
  });

  it('grant nothing without their role', () => {
    const [binding] = rulesWith({
      x: { roleRef: { name: 'gone' }, subjects: [{ kind: 'User', name: 'a@b.c' }] },
    }).bindingsOf(user('a@b.c'));
    expect(binding?.rules).toEqual([]);
  });
});

describe('grants', () => {
  const bound = rulesWith({
    scoped: {
      roleRef: { name: 'reader' },
      subjects: [{ kind: 'User', name: 'a@b.c' }],
      scope: { uid: acme.toUpperCase() },
    },
  }).bindingsOf(user('a@b.c'));
  const request = { verb: 'get', group: 'example.dev', resource: 'widgets', name: 'w' } as const;

  it('cover the scope and what is below it, and nothing else', () => {
    const grants = grantsOf(bound, request);
    expect(grantFor(grants, { uid: acme, name: 'acme', within: [] })?.binding).toBe('scoped');
    expect(grantFor(grants, { uid: 'x', name: 'w', within: [acme] })?.binding).toBe('scoped');
    expect(grantFor(grants, { uid: 'x', name: 'w', within: ['other'] })).toBeNull();
  });

  it('do not tell about kinds outside of a scope', () => {
    expect(seesKind(bound, { group: 'example.dev', plural: 'widgets' })).toBe(false);
  });
});

describe('a role', () => {
  it.each([
    ['an unknown verb', { ...read, verbs: ['read'] }],
    ['no group', { ...read, apiGroups: [] }],
    ['an unknown field', { ...read, nonResourceURLs: ['/x'] }],
    ['a path as a resource', { ...read, resources: ['a/b/c'] }],
  ])('refuses %s', (_what, rule) => {
    expect(roleSpec.safeParse({ rules: [rule] }).success).toBe(false);
  });

  it('refuses more permissions than can be compared', () => {
    const many = Array.from({ length: 200 }, (_, index) => `x${index}`);
    const result = roleSpec.safeParse({ rules: [{ apiGroups: many, resources: many, verbs: ['get'] }] });
    expect(result.error?.issues[0]?.message).toContain('at most 4096 permissions');
  });
});
