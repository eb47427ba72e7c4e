import { fakeClock } from '@platform/development/testing';
import { logRefusedRawTokens } from './refused-raw-tokens.ts';

it('names each account once in ten minutes', () => {
  const clock = fakeClock();
  const lines: unknown[] = [];
  const log = logRefusedRawTokens({ warn: (_message, fields) => lines.push(fields) }, clock);
  const event = {
    project: 'shop',
    account: 'shop+ci@sa.platform.local',
    issuer: 'https://issuer.example',
    sourceAddress: '192.0.2.1',
    userAgent: 'ci/1',
  };
  const other = { ...event, account: 'shop+cd@sa.platform.local' };
  for (const one of [event, event, other, event]) log(one);
  expect(lines).toEqual([event, other]);
  clock.advance(600_000);
  log(event);
  expect(lines).toHaveLength(3);
});
