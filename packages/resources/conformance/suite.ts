import type { DefinitionSource } from '../src/ports/definition-source.ts';
import type { ResourceReader } from '../src/ports/resource-reader.ts';
import type { ResourceWriter } from '../src/ports/resource-writer.ts';
import type { Transactions } from '../src/ports/transactions.ts';

/**
 * A store to be judged. Guarantees run up to twenty calls at once while a transaction is open,
 * so a pool needs room for at least four connections.
 */
export interface StoreUnderTest {
  readonly reader: ResourceReader;
  readonly writer: ResourceWriter;
  readonly transactions: Transactions;
  readonly definitions: DefinitionSource;

  /** Deletes one row behind the API's back, as somebody with access to the database could. It has no children. */
  removeRow(uid: string): Promise<void>;

  /** Removes every row. Runs before each guarantee. */
  reset(): Promise<void>;

  close(): Promise<void>;
}

/** Where the guarantees of one topic are stated. */
export interface Suite {
  /** States what must hold, in words, and proves it on an empty store. */
  guarantee(name: string, prove: (store: StoreUnderTest) => Promise<void>): void;
}

/** The guarantees of one topic. */
export type Topic = (suite: Suite) => void;

/** The guarantees that an implementation does not give, each by its full name and with the reason. */
export type Exceptions = Readonly<Record<string, string>>;
