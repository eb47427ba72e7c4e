import { openTelemetry, readConfigOrExit } from '@platform/service-runtime';
import { runCollector } from './run.ts';
import { wire } from './wire.ts';

const config = readConfigOrExit();
const { logging, tracing } = await openTelemetry(config, { service: 'collector' });
// Whatever was not caught still ends the process; its launcher starts another one. The log tells why.
process.on('uncaughtExceptionMonitor', (error) =>
  logging.logger.error('ended by a fault of its own', { error }),
);
const code = await runCollector(wire(config, logging, tracing));
await logging.close();
// The launcher's channel, if there is one, would keep the process alive.
process.exit(code);
