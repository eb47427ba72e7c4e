import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BenchCase } from './cases/case.ts';
import { apiAt } from './stage/api.ts';
import type { Stage } from './stage/stage.ts';

const load = { connections: 32, seconds: 10 };

/** Runs each case against an API process of its own that writes a CPU profile: `<directory>/<case>.cpuprofile`. */
export async function takeProfiles(
  stage: Stage,
  { cases, directory, say }: { cases: readonly BenchCase[]; directory: string; say: (text: string) => void },
): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (const each of cases) {
    if (each.floor === undefined) continue;
    say(`profile: ${each.name}`);
    const file = `${each.name.replaceAll(/[^a-z0-9]+/g, '-')}.cpuprofile`;
    const api = await stage.startApi({
      nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${resolve(directory)}`, `--cpu-prof-name=${file}`],
    });
    try {
      const { floors } = stage.programs;
      await each.run({ ...stage, api: apiAt(api.url, stage.api.session), programs: { api, floors } }, load);
    } finally {
      await api.stop();
    }
  }
}
