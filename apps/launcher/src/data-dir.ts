import { sep } from 'node:path';
import { LaunchError } from './services.ts';

/**
 * Turns an error of the file system below `database.data_dir`, such as a missing permission or a full disk, into one sentence for the
 * person who started the platform. Returns other errors as they are.
 */
export function explainDataDir(error: unknown, dataDir: string): unknown {
  const { code, path, message } = error as Partial<NodeJS.ErrnoException>;
  const isBelow = path === dataDir || path?.startsWith(dataDir + sep) === true;
  if (code === undefined || !isBelow) return error;
  return new LaunchError(
    `database.data_dir: ${dataDir} cannot be used (${message}): it must be a directory that this user may write to`,
  );
}
