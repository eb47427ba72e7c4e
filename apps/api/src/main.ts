import cluster from 'node:cluster';
import { generatedEnvironment } from '@platform/config';
import { openTelemetry, readConfigOrExit } from '@platform/service-runtime';
import { run } from './process/run.ts';
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
if (cluster.isPrimary) {
  for (const warning of config.warnings) logging.logger.warn(warning);
}
const code = looksAfterWorkers
  ? await runWorkers(workers, generatedEnvironment(config), logging.logger)
  : await run(wire(config, logging, tracing));
await logging.close();
// The launcher's channel, if there is one, would keep the process alive.
process.exit(code);
