import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { BenchCase } from './cases/case.ts';
import { cases } from './cases/index.ts';
import { measureGrowth, type SizedStage } from './growth.ts';
import { describeMachine } from './machine.ts';
import { measuresFor } from './measures/index.ts';
import type { Measure } from './measures/measure.ts';
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
  const machine = describeMachine();
  const { say, end } = progress();
  const stopped = stopRequest();
  const openings: Promise<Stage>[] = [];
  const openStages = async (): Promise<readonly SizedStage[]> => {
    const stages: SizedStage[] = [];
    for (const [index, rows] of (options.growth.length > 0 ? options.growth : [options.rows]).entries()) {
      const databaseUrl = options.databaseUrls[index];
      const opening = openStage({ databaseUrl, rows, pinned: machine.pinning, say });
      openings.push(opening);
      stages.push({ rows, stage: await Promise.race([opening, stopped]) });
    }
    return stages;
  };
  try {
    const stages = (await openStages()) as readonly [SizedStage, ...SizedStage[]];
    const failed = stages.map(({ stage }) => stage.failed);
    const { results, figures } = await Promise.race([measure(stages, options, say), ...failed, stopped]);
    end();
    const verdicts = judge({ results, figures });
    const report = { machine, options, results, figures, verdicts };
    writeResults(report, options.out);
    if (options.document) documentResults(report, fileURLToPath(new URL('../../../docs', import.meta.url)));
    process.stdout.write(`${printTable(results)}\n${printFigures(figures)}\n${printVerdicts(verdicts)}`);
    return 0;
  } catch (error) {
    end();
    process.stderr.write(`The benchmark ended early: ${inspect(error)}\n`);
    return 1;
  } finally {
    // One that is still being opened is closed when it is open; one that was not opened has been told above, and has closed itself.
    for (const opening of openings.reverse()) await opening.then(close, () => undefined);
  }
}

/** Tells what goes wrong, and leaves nothing else open for it. */
async function close(stage: Stage): Promise<void> {
  try {
    await stage.close();
  } catch (error) {
    process.stderr.write(`What the benchmark had started did not end well: ${inspect(error)}\n`);
  }
}

/** Rejects when this process is asked to end, so that what it has started is ended first, and the end is told. */
function stopRequest(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => reject(new Error(`it was stopped by ${signal}`)));
  });
}

async function measure(
  stages: readonly [SizedStage, ...SizedStage[]],
  options: Options,
  say: (text: string) => void,
): Promise<Measured> {
  const { stage } = stages.at(-1) ?? stages[0];
  const { only, growth, profile } = options;
  const isChosen = ({ name }: { readonly name: string }) =>
    only.length === 0 || only.some((word) => name.includes(word));
  const chosen = cases.filter(isChosen);
  const measured =
    growth.length > 0
      ? await measureGrowth(stages, { ...options, cases: chosen, say })
      : await measureAll(
          stage,
          options,
          { cases: chosen, measures: measuresFor(options).filter(isChosen) },
          say,
        );
  if (profile !== undefined) await takeProfiles(stage, { cases: chosen, directory: profile, say });
  return measured;
}

async function measureAll(
  stage: Stage,
  options: Options,
  chosen: { readonly cases: readonly BenchCase[]; readonly measures: readonly Measure[] },
  say: (text: string) => void,
): Promise<Measured> {
  const results = await runRounds(stage, { ...options, cases: chosen.cases, say });
  const value = stage.programs.api.residentBytes() / 1e6;
  const underLoad = {
    name: 'API memory after the load',
    unit: 'MB',
    value,
    values: [value],
    spread: 0,
  } as const;
  const rounds = options.quick ? 1 : options.rounds;
  const figures = await runMeasures(stage, { measures: chosen.measures, rounds, say });
  return { results, figures: chosen.cases.length === 0 ? figures : [underLoad, ...figures] };
}
