import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { send } from '../../api/http.ts';
import { itemPath } from '../../api/resource.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import type { ResourceView } from './view.ts';

/** The resource as YAML, written by the server: numbers keep every digit. */
export function YamlTab({ place, resource }: ResourceView) {
  const path = itemPath(place);
  const { revision } = resource.metadata;
  const yaml = useQuery({
    queryKey: ['yaml', path, revision],
    queryFn: async ({ signal }) => (await send(path, { accept: 'application/yaml', signal })).text(),
    placeholderData: keepPreviousData,
  });
  if (yaml.error !== null) return <Failure error={yaml.error} what="get this resource" />;
  if (yaml.data === undefined) return <Loading rows={8} />;
  return (
    <div className="stack">
      <div className="toolbar">
        <CopyButton text={yaml.data} label="the YAML" />
        <span className="muted">Revision {revision}</span>
      </div>
      <section aria-label="YAML">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keys */}
        <pre tabIndex={0}>{yaml.data}</pre>
      </section>
    </div>
  );
}
