import { handleOutputErrors, readConfigOrExit } from '@platform/service-runtime';
import { runReseal } from './run-reseal.ts';
import { wireReseal } from './wire.ts';

handleOutputErrors(2);
const { reseal, close } = wireReseal(readConfigOrExit(2));
process.exitCode = await runReseal(reseal, process.argv.slice(2), process);
await close();
