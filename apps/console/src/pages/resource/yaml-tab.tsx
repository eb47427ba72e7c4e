import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useAccess } from '../../api/access.ts';
import { collectionPath, itemPath } from '../../api/resource.ts';
import { useSpecSchema } from '../../api/spec-schema.ts';
import { documentSchema } from '../../editor/document-schema.ts';
import { Loading } from '../../ui/states.tsx';
import type { ResourceView } from './view.ts';

const EditPanel = lazy(() =>
  import('../../editor/edit-panel.tsx').then((module) => ({ default: module.EditPanel })),
);
const CreatePanel = lazy(() =>
  import('../create/create-panel.tsx').then((module) => ({ default: module.CreatePanel })),
);

/** The resource as YAML, to read and to edit, or to create it again after its removal. */
export function YamlTab({ kind, registry, place, resource, isRemoved, may }: ResourceView) {
  const { draft } = useSearch({ strict: false });
  const queries = useQueryClient();
  const [again, setAgain] = useState<{ readonly text: string; readonly base: string } | null>(null);
  const { schema } = useSpecSchema(kind, place.version, registry);
  const { name, revision, ancestors } = resource.metadata;
  const { group, version, plural } = place;
  const collection = collectionPath({ group, version, plural, ancestors });
  const mayCreate = useAccess(isRemoved ? [{ verb: 'create', path: collection }] : []);
  return (
    <Suspense fallback={<Loading rows={8} />}>
      {again !== null ? (
        <CreatePanel
          kind={kind}
          registry={registry}
          spec={schema}
          version={version}
          ancestors={registry.ancestorsOf(kind) ?? []}
          initialNames={ancestors}
          draft={again}
        />
      ) : (
        <EditPanel
          path={itemPath(place)}
          liveRevision={revision}
          schema={documentSchema(kind, version, schema)}
          beginning={draft === undefined ? null : `${itemPath(place)}/history/${encodeURIComponent(draft)}`}
          mayUpdate={may('update')}
          label={name}
          isRemoved={isRemoved}
          mayCreate={mayCreate('create')}
          onCreate={(text, base) => setAgain({ text, base })}
          onMissing={() => void queries.invalidateQueries({ queryKey: ['resource'] })}
        />
      )}
    </Suspense>
  );
}
