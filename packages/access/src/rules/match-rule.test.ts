import type { AccessRule } from '../model/rule.ts';
import { coveredNames, matchesResource } from './match-rule.ts';

const rule = (change: Partial<AccessRule> = {}): AccessRule => ({
  apiGroups: ['example.dev'],
  resources: ['widgets'],
  verbs: ['get', 'update'],
  ...change,
});
const request = { verb: 'get', group: 'example.dev', resource: 'widgets', name: 'w1' } as const;

describe('a rule', () => {
  it.each([
    ['its verb, group and resource', rule(), {}, null],
    ['no other verb', rule(), { verb: 'delete' }, []],
    ['no other group', rule(), { group: 'other.dev' }, []],
    ['no other resource', rule(), { resource: 'gadgets' }, []],
    ['no subresource of its resource', rule(), { resource: 'widgets/status' }, []],
    ['every verb by *', rule({ verbs: ['*'] }), { verb: 'restore' }, null],
    ['every group by *', rule({ apiGroups: ['*'] }), { group: 'other.dev' }, null],
    ['every resource and subresource by *', rule({ resources: ['*'] }), { resource: 'widgets/status' }, null],
    ['a name that it lists', rule({ resourceNames: ['w1', 'w2'] }), {}, null],
    ['no other name', rule({ resourceNames: ['w2'] }), {}, []],
    ['every name with an empty list', rule({ resourceNames: [] }), {}, null],
    ['every name with a *', rule({ resourceNames: ['*'] }), {}, null],
    ['no request without a name', rule({ resourceNames: ['w1'] }), { name: null }, []],
    ['its names when the name is not known', rule({ resourceNames: ['w2'] }), { name: undefined }, ['w2']],
  ] as const)('covers %s', (_what, one, change, names) => {
    expect(coveredNames(one, { ...request, ...change })).toEqual(names);
  });
});

describe('a resource pattern', () => {
  it.each([
    ['widgets', 'widgets', true],
    ['widgets/status', 'widgets/status', true],
    ['widgets/status', 'widgets', false],
    ['widgets/*', 'widgets/status', true],
    ['widgets/*', 'widgets', false],
    ['*/status', 'widgets/status', true],
    ['*/status', 'widgets', false],
    ['*/status', 'widgets/finalizers', false],
    ['*', 'widgets/status', true],
  ])('%s covers %s: %s', (pattern, resource, expected) => {
    expect(matchesResource(pattern, resource)).toBe(expected);
  });
});
