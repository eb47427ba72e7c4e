import type { TabItem } from '../../ui/tab-set.tsx';
import { ExplainTab } from './explain-tab.tsx';
import { GraphTab } from './graph-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { StatusTab } from './status-tab.tsx';
import type { ResourceView } from './view.ts';
import { YamlTab } from './yaml-tab.tsx';

/** The parts of the page of a resource, one line each. */
export function resourceTabs(view: ResourceView): readonly TabItem[] {
  return [
    { id: 'overview', label: 'Overview', content: () => <OverviewTab {...view} /> },
    { id: 'yaml', label: 'YAML and form', content: () => <YamlTab {...view} /> },
    { id: 'graph', label: 'Graph', content: () => <GraphTab {...view} /> },
    { id: 'status', label: 'Status', content: () => <StatusTab {...view} /> },
    { id: 'history', label: 'History', content: () => <HistoryTab {...view} /> },
    { id: 'explain', label: 'Explain', content: () => <ExplainTab {...view} /> },
  ];
}

/** The tabs of a resource that is gone: the others need the resource itself. */
const ofFormer = new Set(['overview', 'yaml', 'status', 'history']);

/** The parts of the page of a resource that was gone when the page was opened. */
export function formerTabs(view: ResourceView): readonly TabItem[] {
  return resourceTabs(view).filter(({ id }) => ofFormer.has(id));
}
