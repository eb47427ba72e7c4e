import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { EmbeddedPostgresError } from './error.ts';

/** The identity that PostgreSQL runs as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Whom the database runs as: undefined means as ourselves. PostgreSQL refuses to run as root, so root
 * hands it to the owner of an existing cluster, else to `postgres`, else to `nobody`. No account is
 * made: changing the machine's accounts is not for a start command.
 */
export function databaseAccount(clusterDir: string): Account | undefined {
  const self = process.getuid?.();
  const owner = ownerOf(clusterDir);
  if (self !== 0) {
    if (owner === undefined || self === undefined || owner.uid === self) return undefined;
    throw new EmbeddedPostgresError(
      `${clusterDir} belongs to user id ${owner.uid}: start as that user or as root, or set database.data_dir`,
    );
  }
  if (owner !== undefined && owner.uid !== 0) return owner;
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (account !== undefined) return account;
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root and there is no account postgres or nobody: start as another user, or set database.url',
  );
}

function ownerOf(path: string): Account | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : { uid: stat.uid, gid: stat.gid };
}

function lookUp(name: string): Account | undefined {
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}
