import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { nodeOptions as usual } from '@platform/service-runtime';
import { lastLines } from './last-lines.ts';

/** Lines of a log that are told. */
const shownLines = 20;

/** A Node program, as it is started. */
export interface ProgramOptions {
  /** What messages call it, e.g. `api`. */
  readonly name: string;
  readonly entry: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Cores that it may use, as `taskset -c` takes them; undefined: all. */
  readonly cores: string | undefined;
  /** Where its output goes. */
  readonly log: string;
  readonly nodeOptions?: readonly string[];
}

/** A running program. */
export interface Program {
  readonly child: ChildProcess;
  /** Rejects when it ends without having been asked to, with the end of its log; never resolves. */
  readonly failed: Promise<never>;
  /** CPU seconds used so far, those of its children too; undefined where the system does not tell. */
  cpuSeconds(): number | undefined;
  /** Bytes. */
  residentBytes(): number;
  /** The end of its log. */
  lastLines(): string;
  /** Asks it to end and waits for that; after 20 s it is killed. */
  stop(): Promise<void>;
}

/** Starts it with a channel to this process, at whose end it ends too. */
export function startProgram(options: ProgramOptions): Program {
  const { name, entry, args = [], env = {}, cores, log, nodeOptions = [] } = options;
  const command = [process.execPath, ...usual, ...nodeOptions, entry, ...args];
  const [file = '', ...rest] = cores === undefined ? command : ['taskset', '-c', cores, ...command];
  const output = openSync(log, 'a');
  const child = spawn(file, rest, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', output, output, 'ipc'],
    // It refuses what it cannot carry, as functions, where the other one leaves it out.
    serialization: 'advanced',
  });
  closeSync(output);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} cannot be started`);
  let asked = false;
  const failed = once(child, 'exit').then(([code, signal]) => {
    // A program that was asked to end has not failed, and this promise stays as it is.
    if (asked) return new Promise<never>(() => undefined);
    throw new Error(endedUnexpectedly(name, code ?? signal, log));
  });
  failed.catch(() => undefined);
  return {
    child,
    failed,
    cpuSeconds: () => sum([pid, ...childrenOf(pid)].map(cpuSecondsOf)),
    residentBytes: () =>
      1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })),
    lastLines: () => lastLines(log, shownLines),
    stop: () => {
      asked = true;
      return stop(child);
    },
  };
}

/** What is told of a program that is gone; `how` is its exit code or the signal. */
export function endedUnexpectedly(name: string, how: unknown, log: string): string {
  return `the program "${name}" ended unexpectedly (${how}); its log ends with:\n${lastLines(log, shownLines)}`;
}

/** The next message of a program. Rejects when it ends before. */
export async function messageOf<Message>({ child, failed }: Program): Promise<Message> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const message = once(child, 'message', { signal }).then(([message]) => message as Message);
    return await Promise.race([message, failed]);
  } finally {
    over.abort();
  }
}

// Fields 14 and 15 of proc_pid_stat(5), counted behind the name, which may hold spaces; 100 ticks a second.
function cpuSecondsOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}

// The workers of a primary. A kernel that does not list children has none here, and programs without workers have none anywhere.
function childrenOf(pid: number): readonly number[] {
  try {
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return listed === '' ? [] : listed.split(' ').map(Number);
  } catch {
    return [];
  }
}

function sum(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce((total, value) =>
    total === undefined || value === undefined ? undefined : total + value,
  );
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(patience);
}
