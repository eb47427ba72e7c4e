import { ConfigError, loadDatabase, loadEncryption } from '@platform/config';
import { createSealer, type EncryptionKey } from '@platform/crypto';
import { runningUrl } from '@platform/development';
import { runPauseCommand } from '@platform/garbage-collector';
import { explainError } from '@platform/kernel';
import {
  countKeyUses,
  type KeyUse,
  type KnownKey,
  type KnownKeyStore,
  type ResealCounts,
  reseal,
  type SealedValueStore,
  type SecretAges,
} from '@platform/key-rotation';
import {
  createKnownKeyStore,
  createSealedValueStore,
  fsck,
  fsckReport,
  openStore,
} from '@platform/store-postgres';
import { Failure } from './failure.ts';

/** Operations that operators run on the database itself. */
export interface DatabaseTools {
  /**
   * Checks every invariant in one read-only snapshot. Returns the violating rows, at most `limit` for each invariant, as data and
   * as a report. A tombstone counts as stuck when it is older than `graceSeconds`.
   */
  fsck(options: {
    readonly limit: number;
    readonly graceSeconds: number;
  }): Promise<{ readonly findings: readonly unknown[]; readonly report: string }>;
  /** Pauses or resumes the collectors of all replicas. Returns one line with their state. */
  runPauseCommand(verb: 'pause' | 'resume' | 'state'): Promise<string>;
  /** Seals everything with the first of `encryption.keys` that is sealed with another one; in a dry run, only counts it. */
  reseal(options: { readonly dryRun: boolean }): Promise<Resealing>;
  /** Counts the sealed values of each encryption key, and reads the ages of keys and secrets. */
  keys(): Promise<KeyReport>;
}

/** The result of resealing, and the key that seals now. */
export interface Resealing {
  readonly key: string;
  readonly counts: readonly ResealCounts[];
}

/** The configured encryption keys, the first one first, what is sealed with which key, and the ages of keys and secrets. */
export interface KeyReport extends SecretAges {
  readonly configured: readonly string[];
  readonly uses: readonly KeyUse[];
  /** Every key of the configuration of the service, and since when it is in use. */
  readonly known: readonly KnownKey[];
}

/**
 * Connects to the database at `databaseUrl`, or to the configured one. This is the only file of the package that imports adapters;
 * commands import it lazily, because loading the driver would slow down all the others.
 */
export function openDatabaseTools(databaseUrl: string | undefined, env: NodeJS.ProcessEnv): DatabaseTools {
  const url = resolveUrl(databaseUrl, env);
  const keysOf = () => readConfig(() => readKeys(databaseUrl, env));
  const withStore = async <T>(work: (store: SealedValueStore, knownKeys: KnownKeyStore) => Promise<T>) => {
    const { database, close } = openStore({ url, poolMax: 1, applicationName: 'platform-cli' });
    try {
      return await withReason(() => work(createSealedValueStore(database), createKnownKeyStore(database)));
    } finally {
      await close();
    }
  };
  return {
    async fsck(options) {
      const findings = await withReason(() => fsck({ url, ...options }));
      return { findings, report: fsckReport(findings) };
    },
    async runPauseCommand(verb) {
      const { collectorPause, close } = openStore({ url, poolMax: 1, applicationName: 'platform-cli' });
      try {
        return await withReason(() => runPauseCommand(collectorPause, verb));
      } finally {
        await close();
      }
    },
    reseal({ dryRun }) {
      const keyRing = createSealer(keysOf());
      return withStore(async (store) => ({
        key: keyRing.currentKey,
        counts: await reseal({ store, keyRing }, { dryRun }),
      }));
    },
    keys() {
      const keys = keysOf();
      const { keyOf } = createSealer(keys);
      return withStore(async (store, knownKeys) => ({
        configured: keys.map(({ id }) => id),
        uses: await countKeyUses(store, keyOf),
        known: await knownKeys.list(),
        ...(await store.secretAges()),
      }));
    },
  };
}

function readKeys(databaseUrl: string | undefined, env: NodeJS.ProcessEnv): readonly EncryptionKey[] {
  return loadEncryption(loadDatabase({ url: databaseUrl, env }).data_dir, { env }).keys;
}

function resolveUrl(databaseUrl: string | undefined, env: NodeJS.ProcessEnv): string {
  const { url, data_dir: dataDir } = readConfig(() => loadDatabase({ url: databaseUrl, env }));
  const found = url ?? runningUrl(dataDir);
  if (found !== undefined) return found;
  throw new Failure(
    'usage',
    `no database is configured, and no embedded database is running in ${dataDir}`,
    'set --database-url, or database.url in the configuration of the service',
  );
}

function readConfig<T>(load: () => T): T {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [first, ...more] = error.message.split('\n');
    throw new Failure('usage', first ?? '', undefined, more);
  }
}

/** Adds the reason of the driver to a database error. The database URL is left out, because it contains a password. */
async function withReason<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Failure('unavailable', explainError(error as Error));
  }
}
