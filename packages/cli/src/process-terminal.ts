import { spawn } from 'node:child_process';
import { constants, homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { systemTimers } from '@platform/client';
import open from 'open';
import { Failure } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** The terminal that this process runs in. Ctrl-C and SIGTERM abort its signal. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => stopping.abort(new Failure('interrupted', 'interrupted')));
  }
  // Whoever read the output, such as `head`, has had enough.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  const ask = async (question: string, hidden: boolean): Promise<string> => {
    if (hidden) stderr.write(question);
    const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : stderr;
    const reader = createInterface({ input: stdin, output, terminal: true });
    try {
      return await reader.question(hidden ? '' : question, { signal: stopping.signal });
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
    readInput: () => text(stdin),
    async openBrowser(url) {
      try {
        const child = await open(url);
        child.on('error', () => undefined);
        return true;
      } catch {
        return false;
      }
    },
    spawn: spawnHere,
    env,
    home: homedir(),
    timers: systemTimers,
    signal: stopping.signal,
  };
}

function spawnHere([command = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: 'inherit' });
    // A Ctrl-C reaches the program by itself; what only this process was sent is handed on.
    const forward = () => child.kill('SIGTERM');
    process.on('SIGTERM', forward);
    child.once('error', ({ message }) =>
      reject(new Failure('failed', `${command} cannot be run: ${message}`)),
    );
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', forward);
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
    });
  });
}
