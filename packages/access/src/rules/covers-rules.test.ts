import { accessRule } from '../model/rule.ts';
import { coversRules } from './covers-rules.ts';

/** `groups|resources|verbs|names`, each a list with commas. */
const rule = (text: string) => {
  const [apiGroups, resources, verbs, resourceNames] = text.split('|').map((part) => part.split(','));
  return accessRule.parse({
    apiGroups,
    resources,
    verbs,
    ...(resourceNames === undefined ? {} : { resourceNames }),
  });
};

describe('the escalation rule', () => {
  it.each([
    ['the same rule', ['a.dev|x|get'], ['a.dev|x|get'], true],
    ['a part of a rule', ['a.dev|x,y|get,list'], ['a.dev|y|list'], true],
    ['parts of two rules', ['a.dev|x|get', 'a.dev|y|get'], ['a.dev|x,y|get'], true],
    ['one verb more', ['a.dev|x|get'], ['a.dev|x|get,list'], false],
    ['one group more', ['a.dev|x|get'], ['a.dev,b.dev|x|get'], false],
    ['all resources by one', ['a.dev|x|get'], ['a.dev|*|get'], false],
    ['everything by everything', ['*|*|*'], ['a.dev|x/status|get', '*|*|*'], true],
    [
      'a wildcard verb by all verbs',
      ['*|*|get,list,watch,create,update,patch,delete,restore'],
      ['*|*|*'],
      false,
    ],
    ['a subresource by its resource', ['a.dev|x|get'], ['a.dev|x/status|get'], false],
    ['one name by every name', ['a.dev|x|get'], ['a.dev|x|get|n1'], true],
    ['every name by one name', ['a.dev|x|get|n1'], ['a.dev|x|get'], false],
    ['two names by two rules', ['a.dev|x|get|n1', 'a.dev|x|get|n2'], ['a.dev|x|get|n1,n2'], true],
    ['no permission', [], [], true],
  ] as const)('compares %s', (_what, held, wanted, expected) => {
    expect(coversRules(held.map(rule), wanted.map(rule))).toBe(expected);
  });
});
