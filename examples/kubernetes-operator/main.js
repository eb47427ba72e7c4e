import { hostname } from 'node:os';
import { KubeConfig } from '@kubernetes/client-node';
import { Announcements } from './announcements.js';
import { Controller } from './controller.js';
import { LeaderElector } from './leader-election.js';

const config = new KubeConfig();
config.loadFromDefault();
const {
  NAMESPACE: namespace = config.getContextObject(config.getCurrentContext())?.namespace ?? 'default',
  DIRECTORY: directory = 'announcements',
  IDENTITY: identity = `${hostname()}_${process.pid}`,
  LEASE_SECONDS: leaseSeconds = '15',
} = process.env;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

const leaseMs = Number(leaseSeconds) * 1_000;
const elector = new LeaderElector(config, {
  ...{ namespace, name: 'announcements', identity },
  ...{ leaseMs, renewDeadlineMs: leaseMs / 1.5, retryMs: leaseMs / 7.5 },
});

await elector.run(async (signal) => {
  console.log(`${identity} leads`);
  // A new controller each time: what changed while another process led is listed.
  const announcements = new Announcements(config, { namespace, directory, signal });
  await new Controller(config, announcements.source).run(signal);
  console.log(`${identity} stopped`);
}, stopping.signal);
