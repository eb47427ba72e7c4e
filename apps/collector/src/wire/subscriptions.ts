import {
  type DeliveryDeps,
  type DeliveryReport,
  type StatusWriter,
  SubscriptionDelivery,
} from '@platform/change-log';
import { type Config, softwareVersion } from '@platform/config';
import { createSealer, createWebhookSigner, nodeRandomBytes } from '@platform/crypto';
import { type Logger, type Outbound, systemClock } from '@platform/kernel';
import { createOutbound } from '@platform/outbound-http';
import { platformGroup, systemChange } from '@platform/resources';
import { createSubscriptionStore, replaceStatusWhileLeading, type Store } from '@platform/store-postgres';

interface Parts extends Pick<DeliveryDeps, 'metrics' | 'fence' | 'logger'> {
  readonly store: Pick<Store, 'database' | 'history' | 'changeLog'>;
  readonly logger: Logger;
  /** For tests; by default the guarded module with the settings of the configuration. */
  readonly outbound?: Pick<Outbound, 'request'>;
  readonly clock?: DeliveryDeps['clock'];
}

/** The delivery of subscriptions over a store. It contacts nothing yet. */
export function wireSubscriptions(
  { server, outbound, encryption }: Pick<Config, 'server' | 'outbound' | 'encryption'>,
  { store, outbound: other, clock = systemClock, ...parts }: Parts,
): SubscriptionDelivery {
  return new SubscriptionDelivery({
    ...parts,
    store: createSubscriptionStore(store.database, store.history),
    log: store.changeLog,
    status: statusWriter(store),
    outbound:
      other ??
      createOutbound({
        allowInsecureOrigins: outbound.allow_insecure_origins,
        platformUrl: server.public_url,
        timeoutMs: outbound.timeout_ms,
      }),
    signer: createWebhookSigner(),
    sealer: createSealer(encryption.keys),
    random: nodeRandomBytes,
    clock,
    source: new URL('/api/v1/resources', server.public_url).href,
    userAgent: `platform/${softwareVersion}`,
  });
}

/** The status slot of the platform in resources that it acts on itself. */
const slot = 'platform';

function statusWriter({ database }: Pick<Store, 'database'>): StatusWriter {
  return {
    report(uid, report, fence) {
      const ref = { by: 'uid', uid, group: platformGroup, kind: 'Subscription' } as const;
      const value = JSON.stringify(statusOf(report));
      const change = systemChange('collector', 'status');
      return replaceStatusWhileLeading(database, { change, definition: null, ref, slot, value }, fence);
    },
  };
}

function statusOf({ phase, message, generation, since }: DeliveryReport): object {
  const isDelivering = phase === 'Active';
  return {
    phase: isDelivering || phase === 'Retrying' || phase === 'Suspended' ? phase : 'Paused',
    observedGeneration: generation,
    conditions: [
      {
        type: 'Delivering',
        status: isDelivering ? 'True' : 'False',
        reason: phase,
        message,
        lastTransitionTime: since,
      },
    ],
  };
}
