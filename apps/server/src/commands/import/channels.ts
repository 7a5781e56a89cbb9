import { countAbilities } from '@tollgate/importer/abilities'
import { type MappedChannel, elements, mapChannel } from '@tollgate/importer/map-channel'
import { isOneApi } from '@tollgate/importer/one-api-types'
import { openChannelTotals } from '@tollgate/ledger/opening-totals'
import { channelKeyContext } from '@tollgate/store/channels/channels'
import { encryptChannelSecrets } from '@tollgate/store/channels/secrets'
import { raiseNextId } from '@tollgate/store/database/next-id'
import { insertImported } from '@tollgate/store/transfer/imported-rows'
import { type ChannelKeys, readChannelKeys } from './channel-keys.ts'
import type { ImportContext } from './import-context.ts'
import { importRows } from './import-rows.ts'

const TABLE = 'channels'
const DISABLED = 2

type Ready = MappedChannel & ChannelKeys

/**
 * Imports channels with their ids, their keys (encrypted, one per line) and the quota that was billed through
 * them.
 */
export async function importChannels(context: ImportContext): Promise<void> {
  const { source, db, report, writing, nowMs } = context
  const abilities = await countAbilities(source)
  const options = { isOneApi: isOneApi(source) }
  await importRows(context, {
    table: TABLE,
    isMain: true,
    map: (from) => {
      const channel = ready(mapChannel(from, options))
      const { row } = channel
      const notes = [...channel.notes, ...abilities.compare(row)]
      return { id: row.id, row: channel, refusal: undefined, name: row.name, notes }
    },
    onBatch: async (channels) => {
      for (const { row } of channels) for (const group of elements(row.group_names)) report.groups.add(group)
    },
    findForeign: async (look, fresh) => {
      const ids = fresh.map(({ row }) => row.id)
      const found = await look.selectFrom(TABLE).select(['id', 'name']).where('id', 'in', ids).execute()
      return found.map(({ id, name }) => `channel ${id} (${name}) is here already`)
    },
    insert: async (transaction, fresh) => {
      if (!writing) return
      const { cipher } = writing
      const rows = fresh.map(({ row, text, preview }) => ({
        ...encryptChannelSecrets(row, { id: row.id, cipher }),
        key_sealed: cipher.encrypt(text, channelKeyContext(row.id)),
        key_preview: preview,
        version: 1,
      }))
      await insertImported(transaction, TABLE, rows)
      const states = fresh.flatMap((channel) => channel.states)
      await insertImported(transaction, 'channel_keys', states)
      const totals = fresh.map(({ row: { id }, used }) => ({ id, used }))
      await openChannelTotals(transaction, totals, nowMs)
    },
  })
  report.note(...abilities.orphans())
  report.derived.set('abilities', abilities.rows)
  if (writing) await raiseNextId(db, { traits: writing.traits, table: TABLE })
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
