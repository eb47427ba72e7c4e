import type { MeasuredFigure } from '../measures/run.ts';
import type { Measured } from '../targets.ts';
import { type Bar, barChart } from './charts.ts';
import { ratioToFloor } from './table.ts';

/** A chart of the report. */
export interface Chart {
  /** Of its file. */
  readonly name: string;
  readonly title: string;
  readonly svg: string;
}

/** The charts of a run; those of which nothing was measured are left out. */
export function chartsOf({ results, figures }: Measured): readonly Chart[] {
  const shown = results.filter(({ connections }) => connections === 32);
  const grows = figures.some(({ name }) => name.startsWith('growth: '));
  const rates = shown.map(({ name, perSecond }): Bar => {
    return { label: name, value: perSecond, text: `${Math.round(perSecond).toLocaleString('en')}/s` };
  });
  const ratios = shown.flatMap((result): Bar[] => {
    const value = ratioToFloor(result, results);
    const { name, floor = '' } = result;
    return value === undefined
      ? []
      : [{ label: name, value, text: `${value.toFixed(2)} of ${floor.replace('floor: ', '')}` }];
  });
  const chosen = (pattern: RegExp, text: (figure: MeasuredFigure) => string) =>
    figures.flatMap((figure): Bar[] => {
      const label = pattern.exec(figure.name)?.groups?.['label'];
      const unfinished = figure.unfinished === undefined ? '' : ', not finished';
      return label === undefined || !Number.isFinite(figure.value)
        ? []
        : [{ label, value: figure.value, text: text(figure) + unfinished }];
    });
  const times = ({ value }: MeasuredFigure) => value.toFixed(2);
  const perSecond = ({ value }: MeasuredFigure) => `${Math.round(value).toLocaleString('en')}/s`;
  const megabytes = ({ value }: MeasuredFigure) => `${Math.round(value)} MB`;
  const cascades =
    /^(?:floor: (?=recursive))?(?<label>(?:collected|recursive DELETE of),? [\d,]+ rows, \w+)$/;
  const drawn: readonly (readonly [name: string, title: string, bars: readonly Bar[], mark?: number])[] =
    grows
      ? [
          [
            'growth',
            'Cost on the largest table in costs on the smallest',
            chosen(/^growth: (?<label>.+)$/, times),
            1.3,
          ],
        ]
      : [
          ['rates', 'Operations per second, 32 connections', rates],
          ['ratios', 'In rates of the floor, 32 connections', ratios, 1],
          ['cascades', 'Rows of a tree collected per second', chosen(cascades, perSecond)],
          ['scaling', 'Two cores, in rates of one', chosen(/^(?<label>.+), in rates of one$/, times), 1.7],
          [
            'memory',
            'Resident memory of the API',
            chosen(/^API memory (?<label>at rest|after the load|after \d+ s of mixed load)$/, megabytes),
          ],
        ];
  return drawn
    .filter(([, , bars]) => bars.length > 0)
    .map(([name, title, bars, mark]) => ({ name: `${name}.svg`, title, svg: barChart(title, bars, mark) }));
}
