export { type CloudEvent, cloudEventType } from './model/cloud-event.ts';
export type { DeliveryState, PauseReason, Phase, StoredSubscription } from './model/subscription.ts';
export type { DeliveryMetrics, DeliveryReport, StatusWriter, WebhookSigner } from './ports/receivers.ts';
export type { SubscriptionStore } from './ports/subscription-store.ts';
export { type DeliveryDeps, SubscriptionDelivery } from './usecases/subscription-delivery.ts';
