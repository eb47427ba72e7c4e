import { bestMatches } from './best-matches.ts';

describe('bestMatches', () => {
  const found = (items: readonly string[], typed: string) =>
    bestMatches(items, (item) => item.split(' '), typed);

  it('begins with what is called so, then with what begins so, and leaves out the rest', () => {
    expect(found(['big-cat', 'cats', 'Cat', 'dog', 'x cat'], ' cat ')).toEqual([
      'Cat',
      'x cat',
      'cats',
      'big-cat',
    ]);
  });

  it('keeps everything in its order while nothing is typed', () => {
    expect(found(['b', 'a'], ' ')).toEqual(['b', 'a']);
  });
});
