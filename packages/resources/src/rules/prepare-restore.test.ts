import { widget } from '../../test/fixtures.ts';
import { restoreInvalid } from './prepare-restore.ts';

describe('the refusal of a restore', () => {
  it('has the faults of each stored state, without the reasons of the Kubernetes API', () => {
    const fault = { path: '/spec/size', message: 'is required' };
    const { errors, members } = restoreInvalid([
      { removed: widget, errors: [{ ...fault, reason: 'FieldValueRequired' }] },
    ]);
    expect(errors).toEqual([
      { path: fault.path, message: `${widget.kind} ${widget.name}: ${fault.message}` },
    ]);
    expect(members).toMatchObject({ invalid: [{ uid: widget.uid, errors: [fault] }] });
    expect(JSON.stringify(members)).not.toContain('FieldValueRequired');
  });
});
