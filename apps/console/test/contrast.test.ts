import { readFileSync } from 'node:fs';

const tokens = readFileSync(new URL('../src/styles/tokens.css', import.meta.url), 'utf8');
const main = tokens.slice(0, tokens.indexOf('@media'));
const colours = new Map(
  [...main.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);

/** Text and what it stands on; each needs 4.5:1 (WCAG 2.2, 1.4.3). */
const texts = [
  ...['bg', 'surface', 'sunken', 'accent-bg', 'changed'].map((back) => ['text', back]),
  ...['bg', 'surface', 'sunken', 'accent-bg'].map((back) => ['muted', back]),
  ...['bg', 'surface', 'sunken', 'accent-bg'].map((back) => ['accent', back]),
  ['accent-text', 'accent'],
  ...['ok', 'info', 'warn', 'bad', 'del'].flatMap((name) => [
    [name, `${name}-bg`],
    [name, 'surface'],
  ]),
];
/** Borders of controls and the focus ring need 3:1 (1.4.11). */
const borders = ['bg', 'surface'].flatMap((back) => [
  ['line-strong', back],
  ['accent', back],
]);

describe.each(['light', 'dark'] as const)('colours in %s', (theme) => {
  const ratio = (front: string, back: string) =>
    contrast(colours.get(front)?.[theme] ?? '', colours.get(back)?.[theme] ?? '');

  it.each(texts)('%s can be read on %s', (front = '', back = '') => {
    expect(ratio(front, back)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(borders)('%s can be seen on %s', (front = '', back = '') => {
    expect(ratio(front, back)).toBeGreaterThanOrEqual(3);
  });
});

function contrast(one: string, two: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(two)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
