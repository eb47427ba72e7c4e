import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** A Node program, as it is started. */
export interface ProgramOptions {
  readonly entry: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Pins it to the first core. */
  readonly pinned: boolean;
  /** Where its standard output goes. */
  readonly log: string;
  readonly nodeOptions?: readonly string[];
}

/** A running program. */
export interface Program {
  readonly child: ChildProcess;
  /** CPU seconds used so far; undefined where the system does not tell. */
  cpuSeconds(): number | undefined;
  /** Bytes. */
  residentBytes(): number;
  /** Asks it to end and waits for that; after 20 s it is killed. */
  stop(): Promise<void>;
}

/** Starts it with a channel to this process, at whose end it ends too. */
export function startProgram(options: ProgramOptions): Program {
  const { entry, args = [], env = {}, pinned, log, nodeOptions = [] } = options;
  const command = [process.execPath, ...nodeOptions, entry, ...args];
  const [file = '', ...rest] = pinned ? ['taskset', '-c', '0', ...command] : command;
  const output = openSync(log, 'a');
  const child = spawn(file, rest, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', output, 'inherit', 'ipc'],
  });
  closeSync(output);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} cannot be started`);
  return {
    child,
    cpuSeconds: () => cpuSecondsOf(pid),
    residentBytes: () =>
      1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })),
    stop: () => stop(child),
  };
}

/** The next message of a program. Throws when it ends before. */
export async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const over = new AbortController();
  const { signal } = over;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as Message),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`a program ended with ${code}: ${child.spawnargs.at(-1)}`);
      }),
    ]);
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

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(patience);
}
