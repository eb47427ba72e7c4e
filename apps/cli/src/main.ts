import { processTerminal } from './process-terminal.ts';
import { run } from './run.ts';

const terminal = processTerminal();
process.exitCode = await run(process.argv.slice(2), terminal);
// A statement on the database would keep the process alive after Ctrl-C.
if (terminal.signal.aborted) process.exit();
