import { readFileSync } from 'node:fs';

/**
 * A warning when this process may open fewer files than the connections that it is to accept, each of which is one; null otherwise, and where
 * the system does not tell. Node.js has raised the limit as far as it may.
 */
export function openFilesWarning(maxConnections: number, readLimits = readOwnLimits): string | null {
  const [, text = ''] = /^Max open files +(\d+)/m.exec(readLimits()) ?? [];
  if (text === '' || Number(text) >= maxConnections) return null;
  return `server.max_connections: this process may open only ${text} files, and each connection is one; raise the limit (LimitNOFILE of systemd, ulimit -n), or lower server.max_connections and limits.watches`;
}

function readOwnLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
