import { barChart } from './charts.ts';

describe('barChart', () => {
  it('gives the longest bar the whole width, and the others their part', () => {
    const svg = barChart('title', [
      { label: 'a', value: 10, text: '10' },
      { label: 'b', value: 5, text: '5' },
    ]);
    expect([...svg.matchAll(/width="(\d+\.\d)"/g)].map(([, found]) => found)).toEqual(['420.0', '210.0']);
  });

  it('escapes what stands in labels', () => {
    expect(barChart('a < b & c', [])).toContain('a &lt; b &amp; c');
  });
});
