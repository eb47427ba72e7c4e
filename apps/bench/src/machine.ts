import { spawnSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

/** The machine that the figures were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly platform: string;
  /** The load average over one minute before the run. Above 0.5, other programs affect the results. */
  readonly loadBefore: number;
  /** Whether programs can be pinned to a core. */
  readonly pinning: boolean;
}

export function describeMachine(): Machine {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    pinning: cores.length > 1 && spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0,
  };
}

/** Shows the current step on standard error: one line that is overwritten on a terminal, otherwise a line for each step. */
export function createProgress(): { showProgress: (text: string) => void; end: () => void } {
  const { stderr } = process;
  const start = performance.now();
  const clock = () => `${Math.round((performance.now() - start) / 1_000)} s`.padStart(6);
  return {
    showProgress: (text) =>
      stderr.write(stderr.isTTY ? `\r\x1b[K${clock()}  ${text}` : `${clock()}  ${text}\n`),
    end: () => stderr.write(stderr.isTTY ? '\r\x1b[K' : ''),
  };
}
