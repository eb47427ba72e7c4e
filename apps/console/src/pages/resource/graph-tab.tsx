import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { request } from '../../api/http.ts';
import type { Explanation, Relative } from '../../api/resource.ts';
import { depths, usualDepth } from '../../graph/dimensions.ts';
import { buildGraph } from '../../graph/graph-model.ts';
import { useLevels } from '../../graph/use-levels.ts';
import { Failure, Loading } from '../../ui/states.tsx';
import { partPath, type ResourceView } from './view.ts';

const GraphPanel = lazy(() =>
  import('../../graph/graph-panel.tsx').then((module) => ({ default: module.GraphPanel })),
);

/** The resources around a resource: parent and owners, children and dependents. */
export function GraphTab(view: ResourceView) {
  const { resource, registry, kind } = view;
  const { name, uid, revision, deletionTimestamp, ancestors } = resource.metadata;
  const { depth: asked } = useSearch({ strict: false });
  const depth = depths.includes(Number(asked)) ? Number(asked) : usualDepth;
  const path = partPath(view, 'explain');
  const explanation = useQuery({
    queryKey: ['explain', path, revision],
    queryFn: ({ signal }) => request<Explanation>(path, { signal }),
    placeholderData: keepPreviousData,
  });
  const levels = useLevels(registry, { kind, names: [...ancestors, name], revision }, depth);
  const error = explanation.error ?? levels.error;
  if (error !== null) return <Failure error={error} what="see what is around it" />;
  if (explanation.data === undefined || levels.data === undefined) return <Loading />;
  const [owners, dependents] = relativesOf(explanation.data);
  const center = { ...resource, name, uid, ancestors, deleting: deletionTimestamp !== undefined };
  const isCut = explanation.data.truncated === true;
  return (
    <Suspense fallback={<Loading />}>
      <GraphPanel
        graph={buildGraph(center, owners, dependents, levels.data, isCut)}
        isCut={isCut}
        depth={depth}
        registry={registry}
      />
    </Suspense>
  );
}

/** A resource that is being deleted has causes instead; the first step to each is what holds it. */
function relativesOf(explanation: Explanation): readonly [readonly Relative[], readonly Relative[]] {
  if (!('causes' in explanation)) return [explanation.owners, explanation.dependents];
  const next = explanation.causes.flatMap(({ path, since }) => {
    const [, step] = path;
    return step === undefined
      ? []
      : [{ ...step, relationship: 'structuralChild' as const, deletionTimestamp: since }];
  });
  return [[], [...new Map(next.map((one) => [one.uid, one])).values()]];
}
