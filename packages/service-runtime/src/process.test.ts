import { runtimeWarnings } from './process.ts';

it.each(['20.19.0', '20.20.1', '18.20.8'])('Node.js %s is warned of at the start', (version) => {
  expect(runtimeWarnings(version)).toEqual([
    expect.stringContaining(`Node.js ${version} has known security holes`),
  ]);
});

it.each(['20.20.2', '20.21.0', '22.0.0', '24.4.1'])('Node.js %s is not warned of', (version) => {
  expect(runtimeWarnings(version)).toEqual([]);
});
