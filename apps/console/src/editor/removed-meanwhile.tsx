/** The resource is gone: its text can become a new one. The page offers to restore it. */
export function RemovedMeanwhile({
  isDirty,
  mayCreate,
  onCreate,
}: {
  readonly isDirty: boolean;
  readonly mayCreate: boolean | undefined;
  readonly onCreate: () => void;
}) {
  return (
    <div className="banner" data-tone="deleting" role="alert">
      <span>
        <strong>The resource was removed, so this text cannot be saved.</strong>
        {isDirty ? ' It stays here until you leave.' : ''}
      </span>
      <button type="button" className="button" disabled={mayCreate === false} onClick={onCreate}>
        Create it again from this text
      </button>
      {mayCreate === false ? <span className="hint">needs the verb create</span> : null}
    </div>
  );
}
