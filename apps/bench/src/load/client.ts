import { type Sending, send } from './send.ts';

// A load generator as a separate program, so that it can be pinned to a core. It runs the load that each message describes.

process.on('message', (sending: Sending) => void send(sending).then((sent) => process.send?.(sent)));
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.send?.('ready');
