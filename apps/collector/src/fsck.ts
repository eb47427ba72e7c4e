import { handleOutputErrors, readConfigOrExit } from '@platform/service-runtime';
import { readArguments, runFsck } from './run-fsck.ts';
import { wireFsck } from './wire.ts';

handleOutputErrors(2);
const parameters = readArguments(process.argv.slice(2));
if (typeof parameters === 'string') {
  process.stderr.write(`${parameters}\n`);
  process.exit(2);
}
process.exitCode = await runFsck(wireFsck(readConfigOrExit(2)), parameters, process);
