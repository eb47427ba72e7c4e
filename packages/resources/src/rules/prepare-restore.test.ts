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

  it('does not blame the body of the request, which has no fault', () => {
    const errors = [{ path: '', message: 'its kind belongs below another parent now' }];
    const { message } = restoreInvalid([{ removed: widget, errors }]);
    expect(message).toBe(
      `Nothing was restored: ${widget.kind} ${widget.name}: its kind belongs below another parent now`,
    );
  });
});
