/** A bar of a chart. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Written behind the bar. */
  readonly text: string;
}

const labelWidth = 330;
const barWidth = 420;
const rowHeight = 24;
const width = labelWidth + barWidth + 130;

/** A bar chart as SVG, readable on light and dark pages; `mark` draws a line at a value. */
export function barChart(title: string, bars: readonly Bar[], mark?: number): string {
  const top = 40;
  const height = top + bars.length * rowHeight + 10;
  const longest = Math.max(mark ?? 0, ...bars.map(({ value }) => value));
  const x = (value: number) => labelWidth + (value / longest) * barWidth;
  const rows = bars.map(({ label, value, text }, index) => {
    const y = top + index * rowHeight;
    return (
      `<text x="${labelWidth - 8}" y="${y + 15}" text-anchor="end">${escaped(label)}</text>` +
      `<rect x="${labelWidth}" y="${y + 3}" width="${(x(value) - labelWidth).toFixed(1)}" height="16" fill="#4c78a8"/>` +
      `<text x="${(x(value) + 6).toFixed(1)}" y="${y + 15}">${escaped(text)}</text>`
    );
  });
  const line =
    mark === undefined
      ? ''
      : `<line x1="${x(mark)}" x2="${x(mark)}" y1="${top - 4}" y2="${height - 6}" stroke="#e45756" stroke-dasharray="4 3"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="12" y="24" font-size="15" font-weight="bold">${escaped(title)}</text>`,
    ...rows,
    line,
    '</svg>\n',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
