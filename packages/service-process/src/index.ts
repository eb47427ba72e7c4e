export { readConfigOrExit } from './read-config.ts';
export { onStopRequest } from './stop-request.ts';
