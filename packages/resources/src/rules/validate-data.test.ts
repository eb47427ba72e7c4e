import { setTimeout as delay } from 'node:timers/promises';
import { sizeFaults } from './validate-data.ts';

describe('the size of the values of a Secret', () => {
  it.each([
    ['', 0],
    ['YQ==', 1],
    ['YWI=', 2],
    ['YWJj', 3],
  ])('counts %j as the bytes that it means', (value, bytes) => {
    const most = 'A'.repeat((4 * 1024 * 1024) / 3 - 4);
    const before = Math.floor((most.length * 3) / 4);
    const [fault] = sizeFaults({ rest: 'x'.repeat(1024 * 1024) }, { most, value });
    expect(fault?.message).toContain(`has ${1024 * 1024 + before + bytes} bytes`);
  });

  // Attack: a regular expression that looks for the padding begins at each `=` of a value that is no base64: minutes.
  it('takes no longer for a million =', async () => {
    const faults = sizeFaults(null, { value: `${'='.repeat(1_000_000)}a` });
    await delay(0);
    expect(faults).toEqual([]);
  });
});
