import { spawn } from 'node:child_process';
import { constants, homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { addAbortSignal, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { systemTimers } from '@platform/client';
import open from 'open';
import { exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** The terminal that this process runs in. Ctrl-C and SIGTERM abort its signal. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const stopping = new AbortController();
  // Programs that run in this terminal, such as an editor: a Ctrl-C is theirs then.
  let guests = 0;
  const stop = () => {
    if (guests > 0) return;
    // Asked twice: whatever is waited for, it is enough.
    if (stopping.signal.aborted) process.exit(exitCodes.interrupted);
    stopping.abort(new Failure('interrupted', 'interrupted'));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // Whoever read the output, such as `head`, has had enough.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
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
      // Ctrl-D: nobody wants to answer.
      return '';
    } finally {
      reader.close();
      if (hidden) stderr.write('\n');
    }
  };
  return {
    out: (chunk) => void stdout.write(chunk),
    err: (chunk) => void stderr.write(chunk),
    isTty: stdout.isTTY === true,
    canAsk: stdin.isTTY === true,
    ask: (question) => ask(question, false),
    askSecret: (question) => ask(question, true),
    async readInput() {
      if (stdin.isTTY) stderr.write('Reading standard input; Ctrl-D ends it.\n');
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
      guests += 1;
      try {
        return await spawnHere(command, childEnv);
      } finally {
        guests -= 1;
      }
    },
    env,
    home: homedir(),
    timers: systemTimers,
    signal: stopping.signal,
  };
}

function spawnHere([command = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: 'inherit' });
    // A Ctrl-C reaches the program by itself; what only this process is sent is handed on.
    const forward = () => child.kill('SIGTERM');
    process.on('SIGTERM', forward);
    child.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'ENOENT' ? 'there is no such program' : message;
      reject(new Failure('failed', `${command} cannot be run: ${reason}`));
    });
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', forward);
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
    });
  });
}
