import { runToEnd } from './run.ts';

it('a program of PostgreSQL that fails is named with its directory and the end of what it printed', () => {
  const script = 'echo the start; echo >&2; echo "No space left on device" >&2; exit 1';
  expect(() => runToEnd('/bin/sh', ['-c', script], { account: undefined, clusterDir: '/' })).toThrow(
    'sh failed in /:\nthe start\nNo space left on device',
  );
});
