/** Makes the identifiers that the service gives to rows. */
export interface Identifiers {
  /** A new UUID. Time-ordered ones (RFC 9562, version 7) keep the primary key's inserts together. */
  uid(): string;
  /** A new discriminator from a secure generator: 8 characters that match `discriminatorPattern`. */
  discriminator(): string;
}
