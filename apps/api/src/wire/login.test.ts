import { limitUserCodes } from './login.ts';

describe('the limit on codes of devices', () => {
  it('lets a user try ten in a minute, and no other user wait for them', () => {
    let now = 1_800_000_000_000;
    const attempts = limitUserCodes({ now: () => now });
    const tries = (uid: string, count: number) => Array.from({ length: count }, () => attempts.take(uid));
    expect(tries('u1', 12)).toEqual([...Array(10).fill(0), 60, 60]);
    expect(tries('u2', 1)).toEqual([0]);
    now += 45_000;
    expect(tries('u1', 1)).toEqual([15]);
    now += 15_000;
    expect(tries('u1', 11)).toEqual([...Array(10).fill(0), 60]);
  });
});
