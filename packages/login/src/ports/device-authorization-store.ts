/** The request of a device, as the user who confirms sees it. */
export interface DeviceRequest {
  readonly clientId: string;
  /** The requested scopes, separated by spaces. */
  readonly scope: string;
  /** The address that the request came from. */
  readonly address: string;
  readonly userAgent: string;
}

/** The login of a device that is to be stored. Codes are stored as hashes; times are in milliseconds since the epoch. */
export interface DeviceAuthorization extends DeviceRequest {
  readonly deviceHash: string;
  readonly userCodeHash: string;
  /** Seconds between two polls. */
  readonly interval: number;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The state of a device's login, as the device may know it. */
export interface DeviceState {
  readonly state: 'pending' | 'approved' | 'denied';
  readonly expiresAt: number;
}

/** Logins of devices (RFC 8628), for all replicas. `now` is in milliseconds since the epoch, by the caller's clock. */
export interface DeviceAuthorizationStore {
  /** Must store the login; false when another one has that user code. */
  save(authorization: DeviceAuthorization): Promise<boolean>;

  /** Must return what the device asked for; null for a user code that is unknown, decided or expired. */
  findPending(userCodeHash: string, now: number): Promise<DeviceRequest | null>;

  /**
   * Must approve the device, and store the sealed record as an authorization code under the hash of the device code, in one
   * transaction. True for exactly one of all decisions about a user code.
   */
  approve(userCodeHash: string, sealed: string, now: number): Promise<boolean>;

  /** Must refuse the device; true for exactly one of all decisions about a user code. */
  deny(userCodeHash: string, now: number): Promise<boolean>;

  /** Must return the state; null for an unknown device code. Expired logins stay for an hour, so that devices learn of it. */
  find(deviceHash: string): Promise<DeviceState | null>;

  /**
   * Must record a poll of a pending login. False when it comes before the interval is over: the interval then grows by five seconds (RFC
   * 8628 section 3.5) and starts again.
   */
  poll(deviceHash: string, now: number): Promise<boolean>;

  /** Must delete at most `limit` logins that expired an hour ago, and return their number. */
  deleteExpired(now: number, limit: number): Promise<number>;
}
