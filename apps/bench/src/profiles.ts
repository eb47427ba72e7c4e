import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BenchCase } from './bench-case.ts';
import { apiAt } from './fixture/api.ts';
import type { Fixture } from './fixture/fixture.ts';

const load = { connections: 32, seconds: 10 };

/** Runs each case on a separate API process that writes a CPU profile to `<directory>/<case>.cpuprofile`. */
export async function takeProfiles(
  fixture: Fixture,
  {
    cases,
    directory,
    showProgress,
  }: { cases: readonly BenchCase[]; directory: string; showProgress: (text: string) => void },
): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (const each of cases) {
    if (each.baseline === undefined) continue;
    showProgress(`profile: ${each.name}`);
    const file = `${each.name.replaceAll(/[^a-z0-9]+/g, '-')}.cpuprofile`;
    const api = await fixture.startApi({
      nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${resolve(directory)}`, `--cpu-prof-name=${file}`],
    });
    try {
      const { baselines } = fixture.programs;
      await each.run(
        { ...fixture, api: apiAt(api.url, fixture.api.session), programs: { api, baselines } },
        load,
      );
    } finally {
      await api.stop();
    }
  }
}
