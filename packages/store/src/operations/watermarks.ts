import type { Db } from '../tables/schema.ts'

/** Position of a watermark; zero when it does not exist yet. */
export async function readWatermark(db: Db, name: string): Promise<number> {
  const row = await db.selectFrom('watermarks').select('position').where('name', '=', name).executeTakeFirst()
  return row?.position ?? 0
}

/** Call it in the transaction that does the work which the watermark stands for. */
export async function writeWatermark(
  db: Db,
  { name, position }: { name: string; position: number },
): Promise<void> {
  const known = await db.selectFrom('watermarks').select('name').where('name', '=', name).executeTakeFirst()
  if (known) await db.updateTable('watermarks').set({ position }).where('name', '=', name).execute()
  else await db.insertInto('watermarks').values({ name, position }).execute()
}
