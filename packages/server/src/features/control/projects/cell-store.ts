import type { ControlDb } from '../../../platform/db/control-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** Takes the open cell with the fewest projects, and counts one more in it. */
export async function takeCell(control: ControlDb): Promise<number | undefined> {
  const [cell] = await control.query<{ number: number }>(sql`
    UPDATE control.cells SET project_count = project_count + 1 WHERE number = (
      SELECT number FROM control.cells WHERE open ORDER BY project_count, number LIMIT 1 FOR UPDATE)
    RETURNING number`);
  return cell?.number;
}

export async function registerCells(control: ControlDb, numbers: readonly number[]): Promise<void> {
  await control.query(
    sql`INSERT INTO control.cells (number) SELECT unnest(${numbers}::smallint[]) ON CONFLICT DO NOTHING`,
  );
}
