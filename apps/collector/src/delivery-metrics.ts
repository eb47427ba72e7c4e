import type { DeliveryMetrics } from '@platform/change-log';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The metrics of subscriptions in Prometheus form. */
export function deliveryMetrics(registry: Registry): DeliveryMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'platform_collector_subscription_deliveries_total',
    help: 'Attempts to deliver an event, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'platform_collector_subscription_delivery_duration_seconds',
    help: 'Attempts to deliver an event by how long they took.',
    buckets,
    registers,
  });
  const pauses = new Counter({
    name: 'platform_collector_subscription_pauses_total',
    help: 'Subscriptions that were paused, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const states = new Gauge({
    name: 'platform_collector_subscriptions',
    help: 'Subscriptions by state; 0 in a process that does not lead.',
    labelNames: ['state'],
    registers,
  });
  const failing = new Gauge({
    name: 'platform_collector_subscription_failing_seconds',
    help: 'How long the subscription that fails for the longest time has failed; 0: none fails.',
    registers,
  });
  return {
    delivered(outcome, seconds) {
      attempts.inc({ outcome });
      duration.observe(seconds);
    },
    paused: (reason) => pauses.inc({ reason }),
    subscriptions(counts) {
      for (const [state, count] of Object.entries(counts)) states.set({ state }, count);
    },
    failingFor: (seconds) => failing.set(seconds),
  };
}
