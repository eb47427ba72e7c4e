export { readConfigOrExit } from './read-config.ts';
export { releaseStartMemory } from './release-start-memory.ts';
export { onStopRequest } from './stop-request.ts';
