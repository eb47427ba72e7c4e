import type { SealContext } from '@platform/kernel';
import { pendingContext } from './confirm-login.ts';
import { grantContext } from './issue-code.ts';
import { handoverContext } from './start-handover.ts';

/** What a text in the one-time store may be sealed for. */
export const storedLoginContexts: readonly SealContext[] = [grantContext, pendingContext, handoverContext];
