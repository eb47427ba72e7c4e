import { exitAfter, openTelemetry, readConfigOrExit } from '@platform/service-runtime';
import { runCollector } from './run.ts';
import { wire } from './wire.ts';

const config = readConfigOrExit();
const { logging, tracing } = await openTelemetry(config, { service: 'collector' });
await exitAfter(logging, () => runCollector(wire(config, logging, tracing)));
