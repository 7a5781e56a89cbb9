import { countAbilities } from '@tollgate/importer/abilities'
import { type MappedChannel, elements, mapChannel } from '@tollgate/importer/map-channel'
import { openChannelTotals } from '@tollgate/ledger/opening-totals'
import { encryptChannelSecrets } from '@tollgate/store/channels/secrets'
import { channelKeyContext } from '@tollgate/store/channels/channels'
import { insertImported } from '@tollgate/store/transfer/imported-rows'
import { raiseNextId } from '@tollgate/store/database/next-id'
import { readWatermark, writeWatermark } from '@tollgate/store/operations/watermarks'
import { type ChannelKeys, readChannelKeys } from './channel-keys.ts'
import { BATCH_ROWS, type ImportContext, doneMark } from './import-context.ts'

const TABLE = 'channels'
const DISABLED = 2

type Ready = MappedChannel & ChannelKeys

/**
 * Imports channels with their ids, their keys (encrypted, one per line) and the quota that was billed through
 * them.
 */
export async function importChannels(context: ImportContext): Promise<void> {
  const { source, db, report, progress } = context
  const done = await readWatermark(db, doneMark(context, TABLE))
  const abilities = await countAbilities(source)
  const tally = report.tally(TABLE)
  progress.start(TABLE, await source.count(TABLE))
  for await (const rows of source.pages(TABLE, { rowsMax: BATCH_ROWS })) {
    const channels = rows.map((row) => ready(mapChannel(row)))
    const fresh = channels.filter(({ row }) => row.id > done)
    for (const { row, notes } of channels) {
      report.note(...notes, ...abilities.compare(row))
      for (const group of elements(row.group_names)) report.groups.add(group)
    }
    await refuseForeign(context, fresh)
    await write(context, fresh)
    tally.read += rows.length
    tally.written += fresh.length
    tally.known += channels.length - fresh.length
    progress.advance(rows.length)
  }
  progress.end()
  report.note(...abilities.orphans())
  report.derived.set('abilities', abilities.rows)
  if (context.writing) await raiseNextId(db, { traits: context.writing.traits, table: TABLE })
}

/**
 * A channel without a usable key is imported as disabled, because every call would fail; the operator enables
 * it once it has a key.
 */
function ready(channel: MappedChannel): Ready {
  const keys = readChannelKeys(channel)
  const notes = [...channel.notes, ...keys.notes]
  const row = keys.text === '' ? { ...channel.row, status: DISABLED } : channel.row
  return { ...channel, ...keys, row, notes }
}

async function write(
  { db, writing, nowMs, ...context }: ImportContext,
  fresh: readonly Ready[],
): Promise<void> {
  const last = fresh.at(-1)
  if (!writing || !last) return
  const rows = fresh.map(({ row, text, preview }) => ({
    ...encryptChannelSecrets(row, { id: row.id, cipher: writing.cipher }),
    key_sealed: writing.cipher.encrypt(text, channelKeyContext(row.id)),
    key_preview: preview,
    version: 1,
  }))
  await db.transaction().execute(async (transaction) => {
    await insertImported(transaction, 'channels', rows)
    await openChannelTotals(
      transaction,
      fresh.map(({ row: { id }, used }) => ({ id, used })),
      nowMs,
    )
    await writeWatermark(transaction, { name: doneMark(context, TABLE), position: last.row.id })
  })
}

async function refuseForeign({ db, report }: ImportContext, fresh: readonly Ready[]): Promise<void> {
  if (fresh.length === 0) return
  const found = await db
    .selectFrom('channels')
    .select(['id', 'name'])
    .where(
      'id',
      'in',
      fresh.map(({ row }) => row.id),
    )
    .execute()
  for (const { id, name } of found) report.obstacles.push(`channel ${id} (${name}) is here already`)
}
