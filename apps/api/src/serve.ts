import cluster from 'node:cluster';
import { generatedEnvironment } from '@platform/config';
import { openTelemetry, readConfigOrExit } from '@platform/service-runtime';
import { openFilesWarning } from './process/open-files.ts';
import { run } from './process/run.ts';
import { answerHealthChecks } from './process/worker-health.ts';
import { runWorkers } from './process/workers.ts';
import { wire } from './wire.ts';

const config = readConfigOrExit();
const { workers } = config.server;
const looksAfterWorkers = workers > 1 && cluster.isPrimary;
const { logging, tracing } = await openTelemetry(config, { service: 'api', traces: !looksAfterWorkers });
// An uncaught exception still ends the process, and its launcher starts another one. The log says why.
process.on('uncaughtExceptionMonitor', (error) =>
  logging.logger.error('uncaught exception, exiting', { error }),
);
if (cluster.isWorker) answerHealthChecks();
if (cluster.isPrimary) {
  for (const warning of config.warnings) logging.logger.warn(warning);
  // On the machine of a developer nobody opens thousands of watches.
  const files = config.origin.development ? null : openFilesWarning(config.server.max_connections);
  if (files !== null) logging.logger.warn(files);
}
const code = looksAfterWorkers
  ? await runWorkers(workers, generatedEnvironment(config), logging.logger)
  : await run(wire(config, logging, tracing));
await logging.close();
// The launcher's channel, if there is one, would keep the process alive.
process.exit(code);
