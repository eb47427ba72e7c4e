import { spawn } from 'node:child_process';
import { constants, homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { addAbortSignal, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import open from 'open';
import { systemTimers } from 'platform-service-client';
import { exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';
import { terminalText } from './output/format.ts';
import type { Terminal } from './terminal.ts';

/** The terminal of this process. Ctrl-C and SIGTERM abort its signal. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const stopping = new AbortController();
  // The number of child programs, such as an editor. While one runs, Ctrl-C is meant for it.
  let children = 0;
  const stop = () => {
    if (children > 0) return;
    // The second Ctrl-C exits at once.
    if (stopping.signal.aborted) process.exit(exitCodes.interrupted);
    stopping.abort(new Failure('interrupted', 'interrupted'));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // The reader of the output, such as `head`, has closed it.
    if (code === 'EPIPE') process.exit(exitCodes.ok);
    stderr.write(`platform: the output cannot be written: ${message}\n`);
    process.exit(exitCodes.failed);
  });
  // Nobody reads the messages any more; the work continues.
  stderr.on('error', () => undefined);
  const ask = async (question: string, hidden: boolean): Promise<string> => {
    if (hidden) stderr.write(question);
    const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : stderr;
    const reader = createInterface({ input: stdin, output, terminal: true });
    reader.on('SIGINT', stop);
    try {
      return await reader.question(hidden ? '' : question, { signal: stopping.signal });
    } catch {
      if (!hidden) stderr.write('\n');
      stopping.signal.throwIfAborted();
      // Ctrl-D: there is no answer.
      return '';
    } finally {
      reader.close();
      if (hidden) stderr.write('\n');
    }
  };
  return {
    out: (chunk) => void stdout.write(stdout.isTTY ? terminalText(chunk) : chunk),
    err: (chunk) => void stderr.write(stderr.isTTY ? terminalText(chunk) : chunk),
    isTty: stdout.isTTY === true,
    canAsk: stdin.isTTY === true,
    ask: (question) => ask(question, false),
    askSecret: (question) => ask(question, true),
    async readInput() {
      if (stdin.isTTY) stderr.write('Reading standard input; end it with Ctrl-D.\n');
      try {
        return await text(addAbortSignal(stopping.signal, stdin));
      } catch (error) {
        stopping.signal.throwIfAborted();
        throw error;
      }
    },
    async openBrowser(url) {
      try {
        const child = await open(url);
        child.on('error', () => undefined);
        return true;
      } catch {
        return false;
      }
    },
    async spawn(command, childEnv) {
      children += 1;
      try {
        return await spawnChild(command, childEnv);
      } finally {
        children -= 1;
      }
    },
    env,
    home: homedir(),
    timers: systemTimers,
    signal: stopping.signal,
  };
}

function spawnChild([command = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: 'inherit' });
    // The terminal sends Ctrl-C to the child too; SIGTERM reaches only this process and is forwarded.
    const forward = () => child.kill('SIGTERM');
    process.on('SIGTERM', forward);
    child.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'ENOENT' ? 'program not found' : message;
      reject(new Failure('failed', `cannot run ${command}: ${reason}`));
    });
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', forward);
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
    });
  });
}
