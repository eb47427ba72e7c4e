import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/http.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Failure, Loading } from '../../ui/states.tsx';

interface Download {
  readonly file: string;
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

/** The programs that can be installed from here, with their checksums. */
export function Downloads() {
  const list = useQuery({
    queryKey: ['downloads'],
    queryFn: ({ signal }) => request<{ items: readonly Download[] }>('/downloads', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Card title="Downloads" flush>
      {list.error !== null ? <Failure error={list.error} what="list downloads" /> : null}
      {list.isPending ? <Loading rows={2} /> : null}
      {list.data?.items.length === 0 ? (
        <p className="state muted">
          This service was started without a build, so it has nothing to download.
        </p>
      ) : null}
      <ul className="rows">
        {(list.data?.items ?? []).map(({ file, name, version, sha256 }) => (
          <li key={file}>
            <a className="grow" href={`/downloads/${file}`} download={file}>
              {name} {version}
            </a>
            <span className="with-copy muted">
              SHA-256 <code>{sha256.slice(0, 12)}…</code>
              <CopyButton text={sha256} label={`the checksum of ${file}`} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
