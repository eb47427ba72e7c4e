import type { SealContext } from '@platform/kernel';
import { deviceGrantContext, pendingDeviceContext } from './confirm-device.ts';
import { pendingContext } from './confirm-login.ts';
import { grantContext } from './issue-code.ts';
import { handoverContext } from './start-handover.ts';

/** The seal contexts of the stored one-time values. */
export const storedLoginContexts: readonly SealContext[] = [
  grantContext,
  pendingContext,
  handoverContext,
  pendingDeviceContext,
  deviceGrantContext,
];
