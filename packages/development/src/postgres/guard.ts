import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';

// Waits for a line. Its input ends without one only when the process that started it has died: then
// the server, which has a session of its own and would keep running, is asked to shut down fast.
const script = `
read -r line && exit 0
read -r pid < "$1" || exit 0
if [ -d /proc/self ]; then case "$(cat "/proc/$pid/comm")" in *postgres*) ;; *) exit 0 ;; esac; fi
kill -INT "$pid"
`;

/**
 * Sees to it that the server in `clusterDir` does not outlive this process, however it dies. Returns the
 * dismissal, to be called once the server has stopped.
 */
export function guardCluster(clusterDir: string): () => void {
  const guard = spawn('/bin/sh', ['-c', script, 'sh', join(clusterDir, 'postmaster.pid')], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  (guard.stdin as unknown as Socket).unref();
  return () => guard.stdin.end('dismissed\n');
}
