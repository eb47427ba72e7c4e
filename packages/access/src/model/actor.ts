/**
 * The identity of a caller in an audit record. The collector and bootstrap act as `system`; `anonymous` has no access and
 * appears in `resource.access_denied` only.
 */
export interface Actor {
  readonly type: 'operator' | 'controller' | 'system' | 'user' | 'service_account' | 'anonymous';
  readonly id: string;
}

/** Who writes, and with which request: the same for everything that one request writes. */
export interface ChangeOrigin {
  readonly actor: Actor;
  /** Null for writes without a request. */
  readonly requestId: string | null;
  /** Why, in the words of the caller (`X-Change-Reason`). */
  readonly reason: string | null;
  /** The address of the client, behind the trusted proxies. */
  readonly sourceAddress: string | null;
  /** `User-Agent`, truncated. */
  readonly userAgent: string | null;
}
