import { startEmbeddedPostgres } from '../src/index.ts';

// A process that holds a database until it is killed; what it says goes to its parent.

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', durable: false, log });
process.stdout.write(`${server.pid}\n`);
