import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { itemPath } from '../../api/resource.ts';
import { useSpecSchema } from '../../api/spec-schema.ts';
import { documentSchema } from '../../editor/document-schema.ts';
import { Loading } from '../../ui/states.tsx';
import type { ResourceView } from './view.ts';

const EditPanel = lazy(() =>
  import('../../editor/edit-panel.tsx').then((module) => ({ default: module.EditPanel })),
);

/** The resource as YAML, to read and to edit. */
export function YamlTab({ kind, registry, place, resource, may }: ResourceView) {
  const { draft } = useSearch({ strict: false });
  const { schema } = useSpecSchema(kind, place.version, registry);
  const { name, revision } = resource.metadata;
  return (
    <Suspense fallback={<Loading rows={8} />}>
      <EditPanel
        path={itemPath(place)}
        liveRevision={revision}
        schema={documentSchema(kind, place.version, schema)}
        beginning={draft === undefined ? null : `${itemPath(place)}/history/${encodeURIComponent(draft)}`}
        mayUpdate={may('update')}
        label={name}
      />
    </Suspense>
  );
}
