import type { EffectiveBinding } from '../model/access-rules.ts';
import type { AccessRule } from '../model/rule.ts';
import { rowGrantsOf } from './row-grants.ts';

const binding = (scope: string | null, ...rules: AccessRule[]): EffectiveBinding => ({
  name: 'b',
  role: 'r',
  subjects: [],
  scope,
  rules,
});
const rule = (verbs: AccessRule['verbs'], resources: string[], resourceNames?: string[]): AccessRule => ({
  apiGroups: ['example.dev'],
  resources,
  verbs,
  ...(resourceNames === undefined ? {} : { resourceNames }),
});

it('names every kind, scope and name that a verb is granted on, each once', () => {
  const bindings = [
    binding(null, rule(['list'], ['widgets', 'parts/status'])),
    binding(
      'u1',
      rule(['*'], ['*']),
      rule(['list'], ['parts'], ['a', 'b']),
      rule(['list'], ['parts'], ['a']),
    ),
  ];
  expect(rowGrantsOf(bindings, 'list')).toEqual([
    { group: 'example.dev', plural: 'widgets', scope: null, name: null },
    { group: 'example.dev', plural: '*', scope: 'u1', name: null },
    { group: 'example.dev', plural: 'parts', scope: 'u1', name: 'a' },
    { group: 'example.dev', plural: 'parts', scope: 'u1', name: 'b' },
  ]);
});

it('leaves out rules of other verbs and of subresources', () => {
  expect(
    rowGrantsOf([binding(null, rule(['get'], ['widgets']), rule(['list'], ['*/status']))], 'list'),
  ).toEqual([]);
});
