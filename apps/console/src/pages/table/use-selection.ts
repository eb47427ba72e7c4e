import { useCallback, useState } from 'react';
import type { Row } from '../../live/live-table.ts';

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
  return { selected, toggle, clear };
}
