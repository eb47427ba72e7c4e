import { firstFaults, invalid, Problem, problemCodes } from './index.ts';

describe('Problem', () => {
  it('has the status of its code', () => {
    expect(new Problem('revision_conflict', 'stale').status).toBe(409);
  });

  it('names the first fault in its detail and carries all of them', () => {
    const problem = invalid([
      { path: '/kind', message: 'is required' },
      { path: '/spec', message: 'must be an object' },
    ]);
    expect(problem.message).toBe('/kind: is required (and 1 more)');
    expect(problem.errors).toHaveLength(2);
  });

  // Attack: a body of a megabyte has tens of thousands of faults.
  it('carries a thousand faults at most, and says how many more there are', () => {
    const faults = Array.from({ length: 60_000 }, (_, index) => ({
      path: `/m${index}`,
      message: 'is unknown',
    }));
    const problem = invalid(faults);
    expect(problem.errors).toEqual(faults.slice(0, 1_000));
    expect(problem.message).toBe('/m0: is unknown (and at least 59999 more)');
  });

  it('has codes in snake_case only, so that clients can rely on the form', () => {
    for (const code of Object.keys(problemCodes)) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });
});

describe('the faults of an answer', () => {
  const fault = (path: string) => ({ path, message: 'must be a string' });

  // Attack: a thousand faulty values below a name of half a megabyte, and an answer of half a gigabyte.
  it('have at most a megabyte, and at least one is told', () => {
    const long = `/${'n'.repeat(500_000)}`;
    const all = Array.from({ length: 1_000 }, (_, index) => fault(`${long}/${index}`));
    expect(invalid(all).errors).toEqual(all.slice(0, 2));
    expect(invalid(all).message).toContain('(and 999 more)');
    expect(firstFaults([fault(long.repeat(4))])).toHaveLength(1);
    expect(firstFaults([])).toEqual([]);
  });
});
