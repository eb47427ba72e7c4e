import { invalid, Problem, problemCodes } from './index.ts';

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

  it('has codes in snake_case only, so that clients can rely on the form', () => {
    for (const code of Object.keys(problemCodes)) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });
});
