import type { AuthorizationCodeStore } from '@platform/kernel';
import type { DeviceAuthorization, DeviceAuthorizationStore } from '../src/index.ts';

/** A stored login of a device, with its state. */
interface Stored extends DeviceAuthorization {
  state: 'pending' | 'approved' | 'denied';
  pace: number;
  nextPollAt: number;
}

/** Logins of devices in memory. No method yields before it has changed its state, so all of them are atomic. */
export function memoryDevices(codes: AuthorizationCodeStore): DeviceAuthorizationStore {
  const stored: Stored[] = [];
  const pending = (hash: string, now: number) =>
    stored.find(
      ({ userCodeHash, state, expiresAt }) => userCodeHash === hash && state === 'pending' && expiresAt > now,
    );
  return {
    async save(one) {
      if (stored.some(({ userCodeHash }) => userCodeHash === one.userCodeHash)) return false;
      stored.push({ ...one, state: 'pending', pace: one.interval, nextPollAt: one.createdAt });
      return true;
    },
    findPending: async (hash, now) => pending(hash, now) ?? null,
    async approve(hash, sealed, now) {
      const found = pending(hash, now);
      if (found === undefined) return false;
      found.state = 'approved';
      await codes.save({ hash: found.deviceHash, owner: null, sealed, expiresAt: found.expiresAt });
      return true;
    },
    async deny(hash, now) {
      const found = pending(hash, now);
      if (found !== undefined) found.state = 'denied';
      return found !== undefined;
    },
    find: async (hash) => stored.find(({ deviceHash }) => deviceHash === hash) ?? null,
    async poll(hash, now) {
      const found = stored.find(({ deviceHash }) => deviceHash === hash);
      if (found === undefined) return false;
      const onTime = found.nextPollAt <= now;
      if (!onTime) found.pace += 5;
      found.nextPollAt = now + found.pace * 1000;
      return onTime;
    },
    deleteExpired: async () => 0,
  };
}
