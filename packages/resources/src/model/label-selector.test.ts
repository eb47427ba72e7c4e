import { matchesLabels, parseLabelSelector } from './label-selector.ts';
import { SelectorFault } from './selector-fault.ts';

const match = (text: string, labels: Record<string, string>) =>
  matchesLabels(parseLabelSelector(text), labels);

describe('a label selector', () => {
  it.each([
    ['', {}, true],
    [' ', {}, true],
    ['app=web', { app: 'web' }, true],
    ['app==web', { app: 'web' }, true],
    ['app=web', { app: 'api' }, false],
    ['app=web', {}, false],
    ['app=', { app: '' }, true],
    ['app=', {}, false],
    ['app!=web', {}, true],
    ['app!=web', { app: 'api' }, true],
    ['app!=web', { app: 'web' }, false],
    ['app in (web, api)', { app: 'api' }, true],
    ['app in (web)', {}, false],
    ['app in ()', { app: '' }, true],
    ['app notin (web,api)', { app: 'api' }, false],
    ['app notin (web,api)', {}, true],
    ['app', { app: '' }, true],
    ['app', {}, false],
    ['!app', {}, true],
    ['! app', { app: 'x' }, false],
    ['example.dev/tier=web,app,!gone', { 'example.dev/tier': 'web', app: '1' }, true],
    ['in in (notin)', { in: 'notin' }, true],
    ['notin', { notin: 'x' }, true],
    ['size>9', { size: '10' }, true],
    ['size<9', { size: '10' }, false],
    ['size>1', { size: 'large' }, false],
    ['size>09', { size: '010' }, true],
    ['size<9223372036854775807', { size: '9223372036854775806' }, true],
    ['size<00', { size: '0' }, false],
    ['constructor', {}, false],
    ['!toString', {}, true],
  ])('%s on %j is %s', (text, labels, expected) => {
    expect(match(text, labels as Record<string, string>)).toBe(expected);
  });

  it.each([
    ['app=web,', 8],
    [',app', 0],
    ['app in web', 7],
    ['app in (web', 11],
    ['app=web api', 8],
    ['!app=web', 4],
    ['-app', 0],
    ['app=-web', 4],
    ['a/b/c', 0],
    ['app===web', 5],
    ['app!', 3],
    ['size>large', 5],
    ['size>9223372036854775808', 5],
    [`${'a'.repeat(64)}=b`, 0],
    [`a=${'b'.repeat(64)}`, 2],
    ['app=web;x', 4],
    ['a\u00e9', 0],
  ])('%s is refused at character %d', (text, at) => {
    expect(() => parseLabelSelector(text)).toThrow(SelectorFault);
    try {
      parseLabelSelector(text);
    } catch (error) {
      expect((error as SelectorFault).at).toBe(at);
    }
  });
});
