import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

// Replaces a process of the platform: records what happens to it, and answers like the API if told to.

const [, , name, journal, port] = process.argv;
const note = (what) => appendFileSync(journal, `${name} ${what}\n`);
const end = (why) => {
  note(why);
  process.exit(0);
};

note(
  `started ${process.pid} ${process.env.PLATFORM__DATABASE__URL === undefined ? 'without' : 'with'} a database`,
);
note(`logs people in at ${process.env.PLATFORM__AUTH__ISSUER ?? 'nothing'}`);
process.on('SIGTERM', () => end('was asked to stop'));
process.on('disconnect', () => end('lost its launcher'));
if (port === undefined) process.channel.ref();
else createServer((_request, response) => response.end()).listen(Number(port), '127.0.0.1');
