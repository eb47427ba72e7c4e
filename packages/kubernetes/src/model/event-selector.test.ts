import { setTimeout as delay } from 'node:timers/promises';
import { parseEventSelector } from './event-selector.ts';

describe('a field selector of events', () => {
  it.each([
    [' reason = a b ', 'a b'],
    ['type!=x,reason==a', 'a'],
    ['reason=', ''],
    ['type=a', null],
  ])('%j wants the reason %j', (text, value) => {
    expect(parseEventSelector(text).required('reason')).toBe(value);
  });

  // Attack: spaces within a value: an expression that looks for those at the end begins at every one of them.
  it('may have very many spaces', async () => {
    const value = `a${' '.repeat(500_000)}b`;
    const selector = parseEventSelector(`reason=${value}`);
    await delay(0);
    expect(selector.required('reason')).toBe(value);
  });
});
