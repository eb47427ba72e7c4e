import { onSession, reportSession, sessionHasEnded } from './session.ts';

it('a session has ended from a 401 until another answer, of which failures of the platform are none', () => {
  const told: boolean[] = [];
  const stop = onSession(() => told.push(sessionHasEnded()));
  for (const status of [200, 401, 401, 503, 500]) reportSession(status);
  expect(told).toEqual([true]);
  for (const status of [403, 404]) reportSession(status);
  stop();
  reportSession(401);
  expect(told).toEqual([true, false]);
});
