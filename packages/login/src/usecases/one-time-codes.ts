import { type AuthorizationCode, type SealContext, secretHash } from '@platform/kernel';
import type { LoginPorts } from './ports.ts';

type CodePorts = Pick<LoginPorts, 'codes' | 'sealer' | 'clock'>;

/** Stores the record that a one-time value stands for, sealed under the hash of the value. */
export async function saveCode(
  { codes, sealer, clock }: CodePorts,
  value: string,
  record: object,
  { context, seconds }: { readonly context: SealContext; readonly seconds: number },
): Promise<void> {
  const code: AuthorizationCode = {
    hash: secretHash(value),
    owner: null,
    sealed: sealer.seal(JSON.stringify(record), context),
    expiresAt: clock.now() + seconds * 1000,
  };
  await codes.save(code);
}

/** A stored record, and its `consume`, which is true for exactly one caller. */
export interface StoredCode<T> {
  readonly record: T;
  consume(): Promise<boolean>;
}

/** The record of a one-time value; null for a value that is unknown, used, expired or sealed for another purpose. */
export async function findCode<T>(
  { codes, sealer, clock }: CodePorts,
  value: string,
  context: SealContext,
  read: (text: string) => T | null,
): Promise<StoredCode<T> | null> {
  const key = { hash: secretHash(value), owner: null };
  const sealed = await codes.peek(key, clock.now());
  const text = sealed === null ? null : sealer.unseal(sealed, context);
  const record = text === null ? null : read(text);
  if (record === null) return null;
  return { record, consume: async () => (await codes.consume(key, clock.now())) !== null };
}
