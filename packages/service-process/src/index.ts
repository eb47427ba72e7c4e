export { nodeOptions } from './node-options.ts';
export { readConfigOrExit } from './read-config.ts';
export { releaseStartMemory } from './release-start-memory.ts';
export { onStopRequest } from './stop-request.ts';
