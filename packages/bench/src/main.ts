import { fileURLToPath } from 'node:url';
import type { BenchCase } from './cases/case.ts';
import { cases } from './cases/index.ts';
import { measureGrowth } from './growth.ts';
import { describeMachine } from './machine.ts';
import { measuresFor } from './measures/index.ts';
import { runMeasures } from './measures/run.ts';
import { type Options, readOptions, usage } from './options.ts';
import { takeProfiles } from './profiles.ts';
import { progress } from './progress.ts';
import { documentResults, writeResults } from './report/document.ts';
import { printFigures, printTable, printVerdicts } from './report/table.ts';
import { runRounds } from './rounds.ts';
import { openStage, type Stage } from './stage/stage.ts';
import { judge, type Measured } from './targets.ts';

/** Runs the benchmark; resolves with the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  let options: Options | 'help';
  try {
    options = readOptions(args);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}`);
    return 2;
  }
  if (options === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  const { rounds, seconds, only, out } = options;
  const machine = describeMachine();
  const { say, end } = progress();
  const chosen = cases.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)));
  const stage = await openStage({
    databaseUrl: options.databaseUrl,
    rows: options.growth[0] ?? options.rows,
    pinned: machine.pinning,
    say,
  });
  try {
    const { results, figures } =
      options.growth.length > 0
        ? await measureGrowth(stage, { cases: chosen, sizes: options.growth, rounds, seconds, say })
        : await measureAll(stage, options, chosen, say);
    if (options.profile !== undefined) {
      await takeProfiles(stage, { cases: chosen, directory: options.profile, say });
    }
    end();
    const verdicts = judge({ results, figures });
    const report = { machine, options, results, figures, verdicts };
    writeResults(report, out);
    if (options.document) documentResults(report, fileURLToPath(new URL('../../../docs', import.meta.url)));
    process.stdout.write(`${printTable(results)}\n${printFigures(figures)}\n${printVerdicts(verdicts)}`);
  } finally {
    await stage.close();
  }
  return 0;
}

async function measureAll(
  stage: Stage,
  { connections, rounds, seconds, only, trees }: Options,
  chosen: readonly BenchCase[],
  say: (text: string) => void,
): Promise<Measured> {
  const measures = measuresFor(trees).filter(
    ({ name }) => only.length === 0 || only.some((word) => name.includes(word)),
  );
  const results = await runRounds(stage, { cases: chosen, connections, rounds, seconds, say });
  const value = stage.programs.api.residentBytes() / 1e6;
  const underLoad = { name: 'API memory after the load', unit: 'MB', value, spread: 0 } as const;
  return { results, figures: [underLoad, ...(await runMeasures(stage, { measures, rounds, say }))] };
}
