import { handleOutputErrors, readConfigOrExit } from '@platform/service-runtime';
import { runSwitch } from './run-switch.ts';
import { wireSwitch } from './wire.ts';

handleOutputErrors(2);
const { collectorPause, close } = wireSwitch(readConfigOrExit(2));
process.exitCode = await runSwitch(collectorPause, process.argv.slice(2), process);
await close();
