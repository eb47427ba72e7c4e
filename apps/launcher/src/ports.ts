import { createServer } from 'node:net';
import { type Config, type ListenAddress, listenersConflict } from '@platform/config';
import { LaunchError } from './services.ts';

/**
 * Throws if an address that was configured for the API or the collector is taken. The check of the configuration does not compare the
 * addresses of the two, because elsewhere they run on machines or in containers of their own.
 */
export async function requireFreePorts({ server, collector }: Config): Promise<void> {
  const hasCertificate = server.tls_certificate_pem !== undefined;
  const ofApi: readonly (readonly [string, ListenAddress | undefined])[] = [
    ['server.listen', server.listen],
    // The development settings may do without it, see `provideTls`.
    ['server.tls_listen', hasCertificate ? server.tls_listen : undefined],
    ['server.metrics_listen', server.metrics_listen],
  ];
  for (const [key, address] of ofApi) {
    if (address !== undefined) await requireFreePort(address, key);
  }
  if (collector.listen === undefined) return;
  await requireFreePort(collector.listen, 'collector.listen');
  for (const [key, address] of ofApi) {
    if (address === undefined || !listenersConflict(address, collector.listen)) continue;
    throw new LaunchError(
      `collector.listen: cannot use the port of ${key}, because API and collector run on one machine`,
    );
  }
}

/** Throws if a port is taken; otherwise the readiness of another program would count as that of the platform. */
export function requireFreePort({ host, port }: ListenAddress, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${error.code})`;
      reject(new LaunchError(`${key}: ${host}:${port} ${why}`));
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}
