import { type Sending, send } from './send.ts';

// A client of its own: sends what it is told to, one thing after the other. A program, so that it can be pinned to a core.

process.on('message', (sending: Sending) => void send(sending).then((sent) => process.send?.(sent)));
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.send?.('ready');
