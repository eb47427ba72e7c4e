import { PatroniCluster, patroniInstalled, type TestDatabase } from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import { Service } from './service.ts';
import { storm } from './storm.ts';

// Skipped where Debian's packages patroni, etcd-server and postgresql are not installed.
const described = patroniInstalled ? describe : describe.skip;

described(
  'under load on three servers under Patroni, nothing acknowledged is lost, and nothing is written twice, when',
  () => {
    let cluster: PatroniCluster;
    let database: TestDatabase;
    let service: Service;
    beforeAll(async () => {
      cluster = await PatroniCluster.start();
      database = cluster.connect();
      await migrate({ url: database.url });
      service = new Service(database);
      await service.start();
    }, 180_000);
    afterAll(async () => {
      await service?.stop();
      // The driver waits for answers of servers that were killed.
      await database?.sql.end({ timeout: 5 });
      await cluster?.stop();
    }, 60_000);

    it('the primary is killed, twice, and then hands over its role', async () => {
      const killPrimary = async () => {
        const killed = await cluster.killPrimary();
        await cluster.writable(database);
        cluster.restart(killed);
        await cluster.healthy();
      };
      const handOver = async () => {
        cluster.switchOver();
        await cluster.writable(database);
        await cluster.healthy();
      };
      const ledger = await storm(service, 'failover', [killPrimary, killPrimary, handOver]);
      expect(ledger.counts.written).toBeGreaterThan(0);
    }, 300_000);
  },
);
