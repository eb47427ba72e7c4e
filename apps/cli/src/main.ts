import { processTerminal } from './process-terminal.ts';
import { run } from './run.ts';

const terminal = processTerminal();
process.exitCode = await run(process.argv.slice(2), terminal);
