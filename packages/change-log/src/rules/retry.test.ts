import { initialState } from '../model/subscription.ts';
import { afterFailure, afterSuccess, isDue, isLasting, pausedAfterMs, readRetryAfter } from './retry.ts';

const fresh = initialState('c', 1);
const failure = { detail: 'the receiver answered 503', retryAfterMs: null, gone: false };

/** The state after so many failures in a row, each at the time of the next attempt; random is at its most. */
function failing(attempts: number, from = 0) {
  let state = fresh;
  for (let attempt = 0, now = from; attempt < attempts; attempt += 1) {
    state = afterFailure(state, failure, now, 1);
    now = state.nextAttemptAt;
  }
  return state;
}

describe('a delivery that fails', () => {
  it('is tried again after 5 seconds, then after twice as long each time, up to an hour', () => {
    const waits = [1, 2, 3, 4].map((attempts) => failing(attempts).nextAttemptAt);
    expect(waits).toEqual([5_000, 15_000, 35_000, 75_000]);
    expect(failing(15).nextAttemptAt - failing(14).nextAttemptAt).toBe(3_600_000);
  });

  it('is spread over a quarter of the wait', () => {
    expect(afterFailure(fresh, failure, 0, 0).nextAttemptAt).toBe(3_750);
  });

  it('waits as long as the receiver asks for, at most an hour', () => {
    const asked = (retryAfterMs: number) =>
      afterFailure(fresh, { ...failure, retryAfterMs }, 0, 1).nextAttemptAt;
    expect([asked(60_000), asked(1_000), asked(7_200_000)]).toEqual([60_000, 5_000, 3_600_000]);
  });

  it('pauses after a day, with a last attempt at its end, and says why', () => {
    let state = fresh;
    let now = 0;
    while (state.paused === null) {
      state = afterFailure(state, failure, now, 0.5);
      if (state.paused === null) now = state.nextAttemptAt;
    }
    expect(now).toBe(pausedAfterMs);
    expect(state).toMatchObject({ paused: 'DeliveryFailed', failure: failure.detail, failingSince: 0 });
  });

  it('pauses at once when the receiver wants no more', () => {
    expect(afterFailure(fresh, { ...failure, gone: true }, 0, 0).paused).toBe('Gone');
  });

  it('is due at its time, and at once when a clock that was a day ahead has set that time', () => {
    const state = failing(15);
    const at = state.nextAttemptAt;
    expect([at - 3_600_000, at - 1, at].map((now) => isDue(state, now))).toEqual([false, false, true]);
    const back = at - 86_400_000;
    expect(isDue(state, back)).toBe(true);
    expect(afterFailure(state, failure, back, 1)).toMatchObject({ failingSince: back, paused: null });
  });

  it('is worth a status after a minute, and forgotten with the next success', () => {
    const state = failing(1, 1_000);
    expect([isLasting(state, 60_999), isLasting(state, 61_000)]).toEqual([false, true]);
    expect(afterSuccess(state)).toEqual(fresh);
    expect(isLasting(fresh, 1e9)).toBe(false);
  });
});

it.each([
  [undefined, null],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Thu, 01 Jan 1970 00:01:40 GMT', 90_000],
  ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
  ['soon', null],
])('Retry-After %j is %j ms at ten seconds', (text, wait) => {
  expect(readRetryAfter(text, 10_000)).toBe(wait);
});
