import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { BenchCase } from './bench-case.ts';
import { cases } from './cases/index.ts';
import { type Fixture, startFixture } from './fixture/fixture.ts';
import { measureGrowth, type SizedFixture } from './growth.ts';
import { createProgress, describeMachine } from './machine.ts';
import { measuresFor } from './measures/index.ts';
import { type Measure, runMeasures } from './measures/measure.ts';
import { type Options, readOptions, usage } from './options.ts';
import { takeProfiles } from './profiles.ts';
import { documentResults, writeResults } from './report/document.ts';
import { printFigures, printTable, printTargets } from './report/table.ts';
import { runRounds } from './rounds.ts';
import { evaluateTargets, type Measured } from './targets.ts';

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
  const { showProgress, end } = createProgress();
  const stopped = rejectOnSignal();
  const fixturesStarting: Promise<Fixture>[] = [];
  const startFixtures = async (): Promise<readonly SizedFixture[]> => {
    const fixtures: SizedFixture[] = [];
    for (const [index, rows] of (options.growth.length > 0 ? options.growth : [options.rows]).entries()) {
      const databaseUrl = options.databaseUrls[index];
      const starting = startFixture({ databaseUrl, rows, pinned: machine.pinning, showProgress });
      fixturesStarting.push(starting);
      fixtures.push({ rows, fixture: await Promise.race([starting, stopped]) });
    }
    return fixtures;
  };
  try {
    const fixtures = (await startFixtures()) as readonly [SizedFixture, ...SizedFixture[]];
    const failed = fixtures.map(({ fixture }) => fixture.failed);
    const { results, figures } = await Promise.race([
      measure(fixtures, options, showProgress),
      ...failed,
      stopped,
    ]);
    end();
    const targetResults = evaluateTargets({ results, figures });
    const report = { machine, options, results, figures, targetResults };
    writeResults(report, options.out);
    if (options.document) documentResults(report, fileURLToPath(new URL('../../../docs', import.meta.url)));
    process.stdout.write(`${printTable(results)}\n${printFigures(figures)}\n${printTargets(targetResults)}`);
    return 0;
  } catch (error) {
    end();
    process.stderr.write(`The benchmark failed: ${inspect(error)}\n`);
    return 1;
  } finally {
    // A fixture that is still starting is closed when it has started; one that failed to start has closed itself.
    for (const starting of fixturesStarting.reverse()) await starting.then(close, () => undefined);
  }
}

/** Closes a fixture. An error is printed, so that the other fixtures are still closed. */
async function close(fixture: Fixture): Promise<void> {
  try {
    await fixture.close();
  } catch (error) {
    process.stderr.write(`Cannot stop all programs of the benchmark: ${inspect(error)}\n`);
  }
}

/** Rejects on a signal, so that all started programs are stopped before this process exits. */
function rejectOnSignal(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => reject(new Error(`stopped by ${signal}`)));
  });
}

async function measure(
  fixtures: readonly [SizedFixture, ...SizedFixture[]],
  options: Options,
  showProgress: (text: string) => void,
): Promise<Measured> {
  const { fixture } = fixtures.at(-1) ?? fixtures[0];
  const { only, growth, profile } = options;
  const isSelected = ({ name }: { readonly name: string }) =>
    only.length === 0 || only.some((word) => name.includes(word));
  const selectedCases = cases.filter(isSelected);
  const measured =
    growth.length > 0
      ? await measureGrowth(fixtures, { ...options, cases: selectedCases, showProgress })
      : await measureAll(
          fixture,
          options,
          { cases: selectedCases, measures: measuresFor(options).filter(isSelected) },
          showProgress,
        );
  if (profile !== undefined)
    await takeProfiles(fixture, { cases: selectedCases, directory: profile, showProgress });
  return measured;
}

async function measureAll(
  fixture: Fixture,
  options: Options,
  chosen: { readonly cases: readonly BenchCase[]; readonly measures: readonly Measure[] },
  showProgress: (text: string) => void,
): Promise<Measured> {
  const results = await runRounds(fixture, { ...options, cases: chosen.cases, showProgress });
  const value = fixture.programs.api.residentBytes() / 1e6;
  const underLoad = {
    name: 'API memory after the load',
    unit: 'MB',
    value,
    values: [value],
    spread: 0,
  } as const;
  const rounds = options.quick ? 1 : options.rounds;
  const figures = await runMeasures(fixture, { measures: chosen.measures, rounds, showProgress });
  return { results, figures: chosen.cases.length === 0 ? figures : [underLoad, ...figures] };
}
