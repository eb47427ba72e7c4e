import type { AccessSource } from '@platform/access';
import type { DefinitionSource } from '../src/ports/definitions.ts';
import type { ResourceReader } from '../src/ports/resource-reader.ts';
import type { ResourceWriter } from '../src/ports/resource-writer.ts';
import type { Transactions } from '../src/ports/transactions.ts';

/**
 * A store under test. Guarantees run up to twenty concurrent calls while a transaction is open,
 * so a pool needs room for at least four connections.
 */
export interface StoreUnderTest {
  readonly reader: ResourceReader;
  readonly writer: ResourceWriter;
  readonly transactions: Transactions;
  readonly definitions: DefinitionSource;
  readonly access: AccessSource;

  /** Deletes one row without the API, as SQL by hand would. The row has no children. */
  removeRow(uid: string): Promise<void>;

  /** Removes every row. Runs before each guarantee. */
  reset(): Promise<void>;

  close(): Promise<void>;
}

/** Collects the guarantees of one topic. */
export interface Suite {
  /** Adds a guarantee by name, with a test that runs on an empty store. */
  guarantee(name: string, prove: (store: StoreUnderTest) => Promise<void>): void;
}

/** The guarantees of one topic. */
export type Topic = (suite: Suite) => void;

/** The guarantees that an implementation does not give, by full name, with the reason. */
export type Exceptions = Readonly<Record<string, string>>;
