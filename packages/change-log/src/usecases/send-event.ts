import { type Clock, type Outbound, OutboundError, OutboundRefusedError } from '@platform/kernel';
import type { ChangeEntry } from '../model/change-entry.ts';
import { cloudEventType, renderEvent } from '../model/cloud-event.ts';
import type { DeliveryMetrics, WebhookSigner } from '../ports/receivers.ts';
import { type DeliveryFailure, readRetryAfter } from '../rules/retry.ts';

/** The ports of a delivery. */
export interface SendDeps {
  readonly outbound: Pick<Outbound, 'request'>;
  readonly signer: WebhookSigner;
  readonly clock: Clock;
  readonly metrics: DeliveryMetrics;
  /** The URL of the API, the `source` of events. */
  readonly source: string;
  /** `User-Agent`. */
  readonly userAgent: string;
}

/** Where a subscription sends. */
export interface Receiver {
  readonly url: string;
  readonly secret: string;
}

/** Sends one entry. Returns null when the receiver has taken it: with any status from 200 to 299. */
export async function sendEvent(
  { outbound, signer, clock, metrics, source, userAgent }: SendDeps,
  { url, secret }: Receiver,
  entry: ChangeEntry,
): Promise<DeliveryFailure | null> {
  const { id, body } = renderEvent(entry, source);
  const at = clock.now();
  const headers = {
    'Content-Type': cloudEventType,
    'User-Agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': signer.sign(secret, { id, at, body }),
  };
  const failure = await outbound.request({ method: 'POST', url, headers, body, ignoresBody: true }).then(
    ({ status, headers: answered }) =>
      status >= 200 && status < 300
        ? null
        : {
            detail: `the receiver answered ${status}`,
            retryAfterMs: readRetryAfter(answered['retry-after'], clock.now()),
            gone: status === 410,
          },
    failureOf,
  );
  metrics.delivered(failure === null ? 'delivered' : 'failed', (clock.now() - at) / 1_000);
  return failure;
}

/** The messages of these errors name the origin only: paths and queries may contain secrets. */
function failureOf(error: unknown): DeliveryFailure {
  if (!(error instanceof OutboundError || error instanceof OutboundRefusedError)) throw error;
  return { detail: error.message, retryAfterMs: null, gone: false };
}
