import { setTimeout as delay } from 'node:timers/promises';
import { startProxy, type TcpProxy, testDatabase } from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import fc from 'fast-check';
import { nightlySeconds, timeoutMs } from './budget.ts';
import { Service } from './service.ts';
import { type Fault, storm } from './storm.ts';

let service: Service;
let proxy: TcpProxy;
afterAll(async () => {
  await service.stop();
  await proxy.stop();
}, 60_000);
const database = testDatabase({ migrate: (url) => migrate({ url }) });

beforeAll(async () => {
  proxy = await startProxy(new URL(database.url));
  service = new Service(database, () => proxy.url);
  await service.start();
}, 120_000);

const faults: Readonly<Record<string, Fault>> = {
  'connections that are cut': async () => {
    await proxy.stop();
    await proxy.start();
  },
  'a database that refuses connections': async () => {
    await proxy.stop();
    await delay(1_000);
    await proxy.start();
  },
  'a database that falls silent': async () => {
    proxy.freeze();
    await delay(2_000);
    proxy.release();
  },
  'open connections that fall silent': async () => {
    proxy.hold();
    await delay(1_000);
    proxy.release();
  },
  'answers that are lost': async () => {
    proxy.loseAnswers(true);
    await delay(200);
    proxy.loseAnswers(false);
  },
  'an API process that is killed': async () => {
    await service.apis[0]?.kill();
    await service.apis[0]?.start();
  },
  'a collector that is killed': async () => {
    await service.collector.kill();
    await service.collector.start();
  },
  'clocks that jump ahead and back': async () => {
    for (const ms of [90_000, -180_000, 90_000]) {
      service.moveClocks(ms);
      await delay(300);
    }
  },
};

describe('under load, nothing acknowledged is lost, nothing refused is written, and nothing is written twice, with', () => {
  it.each(Object.entries(faults))(
    '%s',
    async (name, fault) => {
      const index = Object.keys(faults).indexOf(name);
      const ledger = await storm(service, `n${index}`, [fault, fault]);
      expect(ledger.counts.written).toBeGreaterThan(0);
    },
    240_000,
  );

  it(
    'all of them in any order',
    async () => {
      const end = performance.now() + (nightlySeconds ?? 0) * 1000;
      let round = 0;
      do {
        service.forgetOutput();
        const order = fc.sample(fc.shuffledSubarray(Object.values(faults), { minLength: 8 }), 1)[0] ?? [];
        await storm(service, `nall${round}`, order);
        round += 1;
      } while (performance.now() < end);
    },
    timeoutMs + 60_000,
  );
});
