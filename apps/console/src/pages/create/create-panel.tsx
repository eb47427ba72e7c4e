import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { parse, stringify } from 'yaml';
import { useAccess } from '../../api/access.ts';
import type { Kind, KindRegistry } from '../../api/kinds.ts';
import { collectionPath, type Resource } from '../../api/resource.ts';
import { resourceLink } from '../../app/links.ts';
import { documentSchema } from '../../editor/document-schema.ts';
import { DraftEditor, ViewChoice } from '../../editor/draft-editor.tsx';
import { ReviewPanel } from '../../editor/review-panel.tsx';
import { sendYaml } from '../../editor/save.ts';
import { type Schema, skeleton } from '../../editor/schema-help.ts';
import { useLeaveWarning } from '../../editor/use-leave-warning.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { announce } from '../../ui/announcer.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';
import { exampleDefinition } from './example-definition.ts';
import { ParentFields } from './parent-fields.tsx';

/** The subject of a dry run: the collection and the text. */
interface Sent {
  readonly path: string;
  readonly text: string;
}

/** A new resource: the place, a text that begins with what the schema requires, a dry run, then the resource itself. */
export function CreatePanel({
  kind,
  registry,
  spec,
  version,
  ancestors,
  initialNames,
}: {
  readonly kind: Kind;
  readonly registry: KindRegistry;
  readonly spec: Schema;
  readonly version: string;
  readonly ancestors: readonly Kind[];
  readonly initialNames: readonly string[];
}) {
  const navigate = useNavigate();
  const [names, setNames] = useState(() => ancestors.map((_, index) => initialNames[index] ?? ''));
  const [first] = useState(() => beginning(kind, spec, version));
  const [text, setText] = useState(first);
  const latest = useRef(text);
  latest.current = text;
  const [reason, setReason] = useState('');
  const [checked, setChecked] = useState<(Sent & { readonly result: string }) | null>(null);
  const schema = useMemo(() => documentSchema(kind, version, spec), [kind, version, spec]);
  const leave = useLeaveWarning(text !== first);
  const path = collectionPath({ group: kind.group, version, plural: kind.plural, ancestors: names });
  const review = useMutation({
    // Typing goes on while it is on its way: its answer belongs to the text that it was sent with.
    mutationFn: (sent: Sent) => sendYaml('POST', `${sent.path}?dryRun=true`, sent.text),
    onSuccess: (result, sent) => setChecked({ ...sent, result }),
    onError: () => setChecked(null),
  });
  const create = useMutation({
    mutationFn: (sent: Sent) => sendYaml('POST', sent.path, sent.text, reason),
    onSuccess: (yaml, sent) => {
      const resource = parse(yaml) as Resource;
      announce(`${resource.metadata.name} is created`);
      const link = resourceLink(registry, resource);
      if (latest.current !== sent.text || link === null) return;
      leave();
      void navigate(link);
    },
  });
  const isPlaced = names.every((name) => name.trim() !== '');
  const isAllowed = useAccess(isPlaced ? [{ verb: 'create', path }] : [])('create') !== false;
  const mayReview = isPlaced && isAllowed;
  const startReview = () => {
    if (mayReview && !review.isPending) review.mutate({ path, text });
  };
  return (
    <div className="stack">
      <div className="toolbar filters">
        <ViewChoice />
        <ParentFields ancestors={ancestors} names={names} onChange={setNames} />
      </div>
      <DraftEditor
        label={`the new ${kind.kind}`}
        text={text}
        schema={schema}
        error={review.error}
        onChange={setText}
        onReview={startReview}
      />
      <div className="toolbar">
        <ActionButton
          className="button primary"
          isBusy={review.isPending}
          disabled={!mayReview}
          onClick={startReview}
        >
          Review
        </ActionButton>
        {isPlaced ? null : <span className="muted">Name the place first.</span>}
        {isAllowed ? null : (
          <span className="hint">You may not create {kind.plural} here: that needs the verb create.</span>
        )}
      </div>
      <WriteFailure error={review.error ?? create.error} isDryRun={review.error !== null} />
      {create.data === undefined ? null : (
        <CreatedBefore
          registry={registry}
          resource={parse(create.data) as Resource}
          isWhole={create.variables.text === text}
        />
      )}
      {checked !== null && checked.path === path && checked.text === text ? (
        <ReviewPanel
          before=""
          result={checked.result}
          isSaving={create.isPending}
          reason={reason}
          onReason={setReason}
          onSave={() => create.mutate({ path, text })}
        />
      ) : null}
    </div>
  );
}

/** The answer came while somebody typed on: the text stays, and leaving it asks. */
function CreatedBefore({
  registry,
  resource,
  isWhole,
}: {
  readonly registry: KindRegistry;
  readonly resource: Resource;
  /** Whether nothing was typed since the review. */
  readonly isWhole: boolean;
}) {
  const link = resourceLink(registry, resource);
  const name = visibleText(resource.metadata.name);
  return (
    <p className="banner" data-tone="info">
      <span>
        {link === null ? name : <Link {...link}>{name}</Link>} is created as it was reviewed
        {isWhole ? '' : ', without what you typed since'}.
      </span>
    </p>
  );
}

function beginning(kind: Kind, schema: Schema, version: string): string {
  if (kind.kind === 'ResourceDefinition') return exampleDefinition;
  const spec = skeleton(schema);
  return stringify({ apiVersion: `${kind.group}/${version}`, kind: kind.kind, metadata: { name: '' }, spec });
}
