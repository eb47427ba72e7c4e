import { type Fault, invalid, Problem } from '@platform/kernel';
import { widget } from '../../test/fixtures.ts';
import { InvalidStates } from './prepare-restore.ts';

/** The refusal of a restore of as many resources, each with these faults. */
function refusalOf(faults: readonly Fault[], resources = 1): Problem {
  const states = new InvalidStates();
  for (let index = 0; index < resources; index += 1) states.add(widget, invalid(faults));
  try {
    states.throwIfAny();
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('the restore is not refused');
}

describe('the refusal of a restore', () => {
  it('has the faults of each stored state, without the reasons of the Kubernetes API', () => {
    const fault = { path: '/spec/size', message: 'is required' };
    const { errors, members } = refusalOf([{ ...fault, reason: 'FieldValueRequired' }]);
    expect(errors).toEqual([
      { path: fault.path, message: `${widget.kind} ${widget.name}: ${fault.message}` },
    ]);
    expect(members).toMatchObject({ invalid: [{ uid: widget.uid, errors: [fault] }] });
    expect(JSON.stringify(members)).not.toContain('FieldValueRequired');
  });

  it('does not blame the body of the request, which has no fault', () => {
    expect(refusalOf([{ path: '', message: 'its kind belongs below another parent now' }]).message).toBe(
      `Nothing was restored: ${widget.kind} ${widget.name}: its kind belongs below another parent now`,
    );
  });

  it('has the first thousand faults of all states, and one of each', () => {
    const faults = Array.from({ length: 900 }, (_, index) => ({ path: `/spec/${index}`, message: 'is bad' }));
    const { errors, members, message } = refusalOf(faults, 50);
    expect(errors).toHaveLength(1_000);
    const invalidStates = members['invalid'] as readonly { readonly errors: readonly Fault[] }[];
    expect(invalidStates.map((state) => state.errors.length)).toEqual([900, 100, ...Array(48).fill(1)]);
    expect(message).toContain('(and at least 44999 more)');
  });

  it('is none while all states are valid', () => {
    expect(() => new InvalidStates().throwIfAny()).not.toThrow();
  });
});
