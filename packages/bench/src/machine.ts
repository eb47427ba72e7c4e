import { spawnSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

/** What the figures were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly platform: string;
  /** Processes that wanted a core at the start, over one minute: above 0.5 someone else is measured too. */
  readonly loadBefore: number;
  /** Whether programs can be pinned to a core. */
  readonly pinning: boolean;
}

/** Looks at the machine. */
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
