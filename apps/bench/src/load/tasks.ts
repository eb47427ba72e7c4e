import type { Load, Sample } from '../bench-case.ts';
import type { ServedProgram } from '../fixture/fixture.ts';
import { percentile } from '../statistics.ts';
import { waitUntilIdle } from './http.ts';

/** Repeats a task of several requests, with `connections` tasks at a time. A task fails by rejecting. Throws if no task succeeds. */
export async function driveTasks(
  program: ServedProgram,
  load: Load,
  task: () => Promise<void>,
): Promise<Sample> {
  const cpuBefore = program.cpuSeconds();
  const start = performance.now();
  const end = start + load.seconds * 1_000;
  const latencies: number[] = [];
  let failures = 0;
  let reason: unknown;
  const client = async () => {
    while (performance.now() < end) {
      const began = performance.now();
      try {
        await task();
        latencies.push(performance.now() - began);
      } catch (error) {
        failures += 1;
        reason = error;
      }
    }
  };
  await Promise.all(Array.from({ length: load.connections }, client));
  const seconds = (performance.now() - start) / 1_000;
  const cpuAfter = program.cpuSeconds();
  if (latencies.length === 0) throw new Error('no task succeeded', { cause: reason });
  await Promise.all(program.urls.map(waitUntilIdle));
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  return {
    perSecond: latencies.length / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpuMicros: cpu === undefined ? undefined : (cpu * 1e6) / latencies.length,
    failures,
  };
}
