import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from './faults.ts';

/** Creates `database.data_dir` if it does not exist. Throws a {@link ConfigError} with the reason when it cannot be created. */
export function createDataDirectory(dataDir: string): void {
  try {
    create(dataDir);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError([{ key: 'database.data_dir', message: `cannot be created: ${message}` }]);
  }
}

// `recursive` of Node.js 20 tries without end where a directory exists and takes no other one, as /proc.
function create(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || statSync(parent, { throwIfNoEntry: false }) !== undefined) throw error;
    create(parent);
    mkdirSync(path);
  }
}
