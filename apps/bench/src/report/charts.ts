import type { MeasuredFigure } from '../measures/measure.ts';
import type { Measured } from '../targets.ts';
import { ratioToBaseline } from './table.ts';

/** A chart of the report. */
interface Chart {
  /** The name of its file. */
  readonly name: string;
  readonly title: string;
  readonly svg: string;
}

/** The charts of a run. Leaves out charts without any data. */
export function chartsOf({ results, figures }: Measured): readonly Chart[] {
  const shown = results.filter(({ connections }) => connections === 32);
  const grows = figures.some(({ name }) => name.startsWith('growth: '));
  const rates = shown.map(({ name, perSecond }): Bar => {
    return { label: name, value: perSecond, text: `${Math.round(perSecond).toLocaleString('en')}/s` };
  });
  const ratios = shown.flatMap((result): Bar[] => {
    const value = ratioToBaseline(result, results);
    const { name, baseline = '' } = result;
    return value === undefined
      ? []
      : [{ label: name, value, text: `${value.toFixed(2)} × ${baseline.replace('baseline: ', '')}` }];
  });
  const barsFor = (pattern: RegExp, text: (figure: MeasuredFigure) => string) =>
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
    /^(?:baseline: (?=recursive))?(?<label>(?:collected|recursive DELETE of),? [\d,]+ rows, \w+)$/;
  const charts: readonly (readonly [name: string, title: string, bars: readonly Bar[], mark?: number])[] =
    grows
      ? [
          [
            'growth',
            'Cost on the largest table, relative to the smallest',
            barsFor(/^growth: (?<label>.+)$/, times),
            1.3,
          ],
        ]
      : [
          ['rates', 'Operations per second, 32 connections', rates],
          ['ratios', 'Rate relative to the baseline, 32 connections', ratios, 1],
          ['cascades', 'Rows of a tree collected per second', barsFor(cascades, perSecond)],
          ['scaling', 'Two cores, relative to one', barsFor(/^(?<label>.+), relative to one$/, times), 1.7],
          [
            'memory',
            'Resident memory of the API',
            barsFor(/^API memory (?<label>at rest|after the load|after \d+ s of mixed load)$/, megabytes),
          ],
        ];
  return charts
    .filter(([, , bars]) => bars.length > 0)
    .map(([name, title, bars, mark]) => ({ name: `${name}.svg`, title, svg: barChart(title, bars, mark) }));
}

/** A bar of a chart. */
interface Bar {
  readonly label: string;
  readonly value: number;
  /** The text after the bar. */
  readonly text: string;
}

const labelWidth = 330;
const barWidth = 420;
const rowHeight = 24;
const width = labelWidth + barWidth + 130;

/** A bar chart as SVG, readable on light and dark pages. Draws a line at the value `mark`. */
export function barChart(title: string, bars: readonly Bar[], mark?: number): string {
  const top = 40;
  const height = top + bars.length * rowHeight + 10;
  const longest = Math.max(mark ?? 0, ...bars.map(({ value }) => value));
  const x = (value: number) => labelWidth + (value / longest) * barWidth;
  const rows = bars.map(({ label, value, text }, index) => {
    const y = top + index * rowHeight;
    return (
      `<text x="${labelWidth - 8}" y="${y + 15}" text-anchor="end">${escapeXml(label)}</text>` +
      `<rect x="${labelWidth}" y="${y + 3}" width="${(x(value) - labelWidth).toFixed(1)}" height="16" fill="#4c78a8"/>` +
      `<text x="${(x(value) + 6).toFixed(1)}" y="${y + 15}">${escapeXml(text)}</text>`
    );
  });
  const line =
    mark === undefined
      ? ''
      : `<line x1="${x(mark)}" x2="${x(mark)}" y1="${top - 4}" y2="${height - 6}" stroke="#e45756" stroke-dasharray="4 3"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="12" y="24" font-size="15" font-weight="bold">${escapeXml(title)}</text>`,
    ...rows,
    line,
    '</svg>\n',
  ].join('\n');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
