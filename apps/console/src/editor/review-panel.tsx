import { useId, useMemo, useState } from 'react';
import { parse } from 'yaml';
import { lineDiff } from '../logic/line-diff.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Card } from '../ui/card.tsx';
import { DiffView } from '../ui/diff-view.tsx';
import { ReasonField } from '../ui/reason-field.tsx';
import { draftOf } from './draft-text.ts';
import { type Impact, ImpactTable } from './impact-table.tsx';

/** The result of the dry run, as the server would store it, and the button that stores it. */
export function ReviewPanel({
  before,
  result,
  isSaving,
  isDisabled = false,
  reason,
  onReason,
  onSave,
}: {
  /** The stored draft; empty for a new resource. */
  readonly before: string;
  /** The answer to the dry run, as YAML. */
  readonly result: string;
  readonly isSaving: boolean;
  /** Whether there is nothing any more to save the text to. */
  readonly isDisabled?: boolean;
  /** Kept by the caller: the panel goes while the text is reviewed again. */
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  readonly onSave: () => void;
}) {
  const id = useId();
  const [typed, setTyped] = useState('');
  // Not for each key of the reason: both take long for a large text.
  const lines = useMemo(() => lineDiff(before, draftOf(result)), [before, result]);
  const { impact, complete } = useMemo(
    () => parse(result) as { impact?: Impact; complete?: boolean },
    [result],
  );
  const invalid = Object.values(impact ?? {}).reduce((sum, version) => sum + version.invalid, 0);
  return (
    <Card title="Review">
      <div className="stack">
        <p className="muted">
          The server has checked this text. Comments and the order of keys are not stored.
        </p>
        <DiffView lines={lines} />
        {impact === undefined ? null : <ImpactTable impact={impact} complete={complete === true} />}
        {invalid === 0 ? null : (
          <div className="field">
            <label htmlFor={id}>
              {invalid === 1 ? 'A stored resource' : `${invalid} stored resources`} would be refused by this
              schema at the next change. Type <code>{invalid}</code> to save it all the same
            </label>
            <input
              id={id}
              className="input mono"
              autoComplete="off"
              inputMode="numeric"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          </div>
        )}
        <ReasonField value={reason} onChange={onReason} />
        <div className="dialog-actions">
          <ActionButton
            className="button primary"
            isBusy={isSaving}
            disabled={isDisabled || (invalid > 0 && typed.trim() !== String(invalid))}
            onClick={onSave}
          >
            {before === '' ? 'Create' : 'Save'}
          </ActionButton>
        </div>
      </div>
    </Card>
  );
}
