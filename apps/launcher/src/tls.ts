import { type Config, listenersConflict, overrideName, overrideValue } from '@platform/config';
import { developmentCertificates } from '@platform/development';
import { type Logger, systemClock } from '@platform/kernel';
import { requireFreePort } from './ports.ts';
import { LaunchError } from './services.ts';

/** The environment of a generated certificate for `server.tls_listen`; empty where there is one, or none is wanted. */
export async function provideTls(
  { server, origin, database, collector }: Config,
  env: NodeJS.ProcessEnv,
  logger: Logger,
): Promise<NodeJS.ProcessEnv> {
  const { tls_listen: listen, tls_certificate_pem: given } = server;
  if (!origin.development || listen === undefined || given !== undefined) return {};
  try {
    await requireFreePort(listen, 'server.tls_listen');
    if (collector.listen !== undefined && listenersConflict(listen, collector.listen))
      throw new LaunchError('server.tls_listen: collector.listen has its port');
  } catch (error) {
    // Nobody asked for the default, so another platform on this machine must not prevent the start.
    if (env[overrideName('server.tls_listen')] !== undefined) throw error;
    logger.warn('not listening with TLS', { reason: (error as Error).message });
    return {};
  }
  const { authority, certificate, privateKey } = await developmentCertificates(
    database.data_dir,
    systemClock.now(),
  );
  return {
    [overrideName('server.tls_certificate_pem')]: overrideValue(certificate),
    [overrideName('server.tls_private_key_pem')]: overrideValue(privateKey),
    [overrideName('server.tls_authority_pem')]: overrideValue(authority),
  };
}
