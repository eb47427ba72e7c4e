import type { ProxyExtension } from '@platform/oauth-proxy';
import { onceInAWhile } from './extension-doctor.ts';

const extension = { extensionUid: 'e1', spec: {}, sealedUpstreamSecret: 's', clientSecrets: [] };
const changed = { ...extension, sealedUpstreamSecret: 'other' };

it('looks at an unchanged extension once in ten seconds, however often it is asked', async () => {
  let looks = 0;
  const clock = { millis: 0, now: () => clock.millis };
  const doctor = onceInAWhile(async () => {
    looks += 1;
    return { healthy: true, checks: [] };
  }, clock);
  const ask = (of: object) => doctor(of as unknown as ProxyExtension);
  await Promise.all([ask(extension), ask(extension), ask(extension)]);
  expect(looks).toBe(1);
  await ask(changed);
  await ask({ ...extension, extensionUid: 'e2' });
  expect(looks).toBe(3);
  clock.millis += 10_000;
  await ask(changed);
  expect(looks).toBe(4);
  // The clock is set back.
  clock.millis -= 86_400_000;
  await ask(changed);
  expect(looks).toBe(5);
});
