import cluster from 'node:cluster';
import { exitAfter, openTelemetry, readConfigOrExit } from '@platform/service-runtime';
import { openFilesWarning } from './process/open-files.ts';
import { run } from './process/run.ts';
import { answerHealthChecks } from './process/worker-health.ts';
import { configOfPrimary, runWorkers } from './process/workers.ts';
import { wire } from './wire.ts';

const config = cluster.isPrimary ? readConfigOrExit() : await configOfPrimary();
const { workers } = config.server;
const looksAfterWorkers = workers > 1 && cluster.isPrimary;
const { logging, tracing } = await openTelemetry(config, { service: 'api', traces: !looksAfterWorkers });
await exitAfter(logging, async () => {
  if (cluster.isWorker) answerHealthChecks();
  if (cluster.isPrimary) logWarnings();
  if (looksAfterWorkers) return await runWorkers(config, logging.logger);
  return await run(wire(config, logging, tracing));
});

function logWarnings(): void {
  // On the machine of a developer nobody opens thousands of watches.
  const files = config.origin.development ? null : openFilesWarning(config.server.max_connections);
  for (const warning of [...config.warnings, ...(files === null ? [] : [files])])
    logging.logger.warn(warning);
}
