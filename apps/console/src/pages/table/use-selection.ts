import { useCallback, useState } from 'react';
import type { Row } from '../../live/row.ts';

/** The selected rows by uid, so that they stay selected wherever they move. */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const toggle = useCallback(
    (row: Row) =>
      setSelected((before) => {
        const after = new Map(before);
        if (!after.delete(row.uid)) after.set(row.uid, row);
        return after;
      }),
    [],
  );
  const clear = useCallback(() => setSelected(new Map()), []);
  const drop = useCallback(
    (uids: readonly string[]) =>
      setSelected((before) => new Map([...before].filter(([uid]) => !uids.includes(uid)))),
    [],
  );
  return { selected, toggle, clear, drop };
}
