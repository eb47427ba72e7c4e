import { openTelemetry, readConfigOrExit } from '@platform/service-runtime';
import { runCollector } from './run.ts';
import { wire } from './wire.ts';

const config = readConfigOrExit();
const { logging, tracing } = await openTelemetry(config, { service: 'collector' });
// An uncaught exception still ends the process, and its launcher starts another one. The log says why.
process.on('uncaughtExceptionMonitor', (error) =>
  logging.logger.error('uncaught exception, exiting', { error }),
);
const code = await runCollector(wire(config, logging, tracing));
await logging.close();
// The launcher's channel, if there is one, would keep the process alive.
process.exit(code);
