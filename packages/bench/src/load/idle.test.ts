import { runningStatements } from './idle.ts';

const metrics = `# TYPE platform_api_database_connections gauge
platform_api_database_connections{state="max"} 10
platform_api_database_connections{state="busy"} 3
platform_api_database_connections{state="waiting"} 4
`;

describe('runningStatements', () => {
  it('counts what runs and what waits', () => expect(runningStatements(metrics)).toBe(7));
  it('knows nothing of a process that does not tell', () => expect(runningStatements('')).toBeUndefined());
});
