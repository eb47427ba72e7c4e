import { readConfigOrExit } from '@platform/service-runtime';
import { runSwitch } from './run-switch.ts';
import { wireSwitch } from './wire.ts';

const { collectorSwitch, close } = wireSwitch(readConfigOrExit());
process.exitCode = await runSwitch(collectorSwitch, process.argv.slice(2), process);
await close();
