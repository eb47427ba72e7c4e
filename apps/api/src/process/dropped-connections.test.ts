import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { fakeClock, recordingLogger } from '@platform/development/testing';
import { reportDroppedConnections } from './dropped-connections.ts';

it('connections that are closed at once are logged, at most once a minute, with their number', () => {
  const server = new EventEmitter();
  const log = recordingLogger();
  const clock = fakeClock();
  reportDroppedConnections(server as unknown as Server, log, clock);
  for (let drop = 0; drop < 4; drop++) server.emit('drop');
  clock.advance(60_000);
  server.emit('drop');
  expect(log.lines.map(({ level, fields }) => [level, fields['closed']])).toEqual([
    ['warn', 1],
    ['warn', 4],
  ]);
});
