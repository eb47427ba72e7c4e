import type { WebhookSigner } from '@platform/change-log';
import { Webhook } from 'standardwebhooks';

/** Signs webhooks as Standard Webhooks (https://www.standardwebhooks.com), with HMAC-SHA256. */
export function createWebhookSigner(): WebhookSigner {
  return {
    sign: (secret, { id, at, body }) => new Webhook(secret).sign(id, new Date(at), body),
  };
}
