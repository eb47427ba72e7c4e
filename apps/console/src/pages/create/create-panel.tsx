import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { parse, stringify } from 'yaml';
import { useAccess } from '../../api/access.ts';
import { isBuiltIn, type Kind, type KindRegistry } from '../../api/kinds.ts';
import { collectionPath, type Resource } from '../../api/resource.ts';
import { resourceLink } from '../../app/links.ts';
import { documentSchema } from '../../editor/document-schema.ts';
import { DraftEditor, ViewChoice } from '../../editor/draft-editor.tsx';
import { ReviewPanel } from '../../editor/review-panel.tsx';
import { type Schema, skeleton } from '../../editor/schema-help.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';
import { exampleDefinition } from './example-definition.ts';
import { ParentFields } from './parent-fields.tsx';
import { useCreate } from './use-create.ts';

/** A new resource: the place, a text that begins with what the schema requires, a dry run, then the resource itself. */
export function CreatePanel({
  kind,
  registry,
  spec,
  version,
  ancestors,
  initialNames,
  draft,
}: {
  readonly kind: Kind;
  readonly registry: KindRegistry;
  readonly spec: Schema;
  readonly version: string;
  readonly ancestors: readonly Kind[];
  readonly initialNames: readonly string[];
  /** The text to begin with, and the one without unsaved changes; what the schema requires unless given. */
  readonly draft?: { readonly text: string; readonly base: string };
}) {
  const [names, setNames] = useState(() => ancestors.map((_, index) => initialNames[index] ?? ''));
  const [first] = useState(() => {
    const text = draft?.text ?? beginning(kind, spec, version);
    return { text, base: draft?.base ?? text };
  });
  const [text, setText] = useState(first.text);
  const schema = useMemo(() => documentSchema(kind, version, spec), [kind, version, spec]);
  const path = collectionPath({ group: kind.group, version, plural: kind.plural, ancestors: names });
  const { checked, review, create, reason, setReason } = useCreate({ path, text }, first.base, registry);
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
      {checked !== null ? (
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
  if (isBuiltIn(kind) && kind.kind === 'ResourceDefinition') return exampleDefinition;
  const spec = skeleton(schema);
  return stringify({ apiVersion: `${kind.group}/${version}`, kind: kind.kind, metadata: { name: '' }, spec });
}
