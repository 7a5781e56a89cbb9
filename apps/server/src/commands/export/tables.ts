import { invariant } from '@tollgate/kit/invariant'
import type { Cipher } from '@tollgate/kit/cipher'
import { isOptionKey, optionDefinition } from '@tollgate/contract/options/index'
import {
  type ChannelSecrets,
  channelSecretColumns,
  decryptChannelSecrets,
} from '@tollgate/store/channels/secrets'
import { channelKeyContext } from '@tollgate/store/channels/channels'
import type { Database, Db } from '@tollgate/store/tables/schema'
import { optionCipherContext } from '../../snapshots/site-settings.ts'
import { openCode } from '../../services/redemption/code.ts'
import { openKey } from '../../services/token/key.ts'

/** A table row as it is exported. */
export type ExportedRow = Readonly<Record<string, unknown>>
type Position = string | number

/** Describes one table: how it is read in pages, and which parts of a row are exported. */
export interface ExportedTable {
  readonly name: TableName
  read(db: Db, page: { after: Position | undefined; limit: number }): Promise<readonly ExportedRow[]>
  position(row: ExportedRow): Position
  show(row: ExportedRow, cipher: Cipher | undefined): ExportedRow
}

type TableName = keyof Database
type Show = (row: ExportedRow, cipher: Cipher | undefined) => ExportedRow

export function exportedTables(withLogs: boolean): readonly ExportedTable[] {
  const kept = Object.values(tables).filter((table) => table !== undefined)
  return withLogs ? kept : kept.filter(({ name }) => name !== 'logs')
}

const asItIs: Show = (row) => row

/** Marks tables with transient state (sessions, work in progress, live processes), which are not exported. */
const OF_THE_MOMENT = undefined
/** Marks tables that can be rebuilt from the exported ones. */
const DERIVED = undefined

/** Every table of the schema, in export order. */
const tables: Readonly<Record<TableName, ExportedTable | typeof OF_THE_MOMENT>> = {
  setups: byColumn('setups', 'id'),
  options: byColumn('options', 'key', showOption),
  option_changes: byColumn('option_changes', 'id'),
  users: byColumn('users', 'id', showUser),
  identities: byColumn('identities', 'identity_hash'),
  tokens: byColumn('tokens', 'id', showToken),
  channels: byColumn('channels', 'id', showChannel),
  channel_keys: byColumn('channel_keys', 'id'),
  price_books: byColumn('price_books', 'version'),
  account: byColumn('account', 'id'),
  hold: byColumn('hold', 'id'),
  price: byColumn('price', 'hash'),
  entry: byColumn('entry', 'id'),
  entry_rollup: rollups(),
  totals: byColumn('totals', 'subject'),
  audit_log: byColumn('audit_log', 'id'),
  redemptions: byColumn('redemptions', 'id', showCode),
  redemption_uses: byColumn('redemption_uses', 'id'),
  top_ups: byColumn('top_ups', 'id'),
  tasks: byColumn('tasks', 'id', (row) => without(row, ['secret_hash'])),
  usage_hours: byColumn('usage_hours', 'id'),
  logs: byColumn('logs', 'id'),
  // Kept for a few days and rarely read, so not part of an export.
  log_texts: OF_THE_MOMENT,
  usage_cells: DERIVED,
  usage_routes: DERIVED,
  usage_owners: DERIVED,
  usage_owner_groups: DERIVED,
  usage_route_days: DERIVED,
  usage_owner_days: DERIVED,
  usage_owner_model_days: DERIVED,
  usage_owner_group_days: DERIVED,
  usage_owner_channel_days: DERIVED,
  log_hours: DERIVED,
  sessions: OF_THE_MOMENT,
  oauth_states: OF_THE_MOMENT,
  one_time_codes: OF_THE_MOMENT,
  spent_marks: OF_THE_MOMENT,
  known_networks: OF_THE_MOMENT,
  changes: OF_THE_MOMENT,
  email_undos: OF_THE_MOMENT,
  account_notices: OF_THE_MOMENT,
  outbox: OF_THE_MOMENT,
  instance: OF_THE_MOMENT,
  allotment: OF_THE_MOMENT,
  journal: OF_THE_MOMENT,
  journal_rejected: byColumn('journal_rejected', 'id'),
  database_identity: OF_THE_MOMENT,
  installation: OF_THE_MOMENT,
  lease: OF_THE_MOMENT,
  tally: OF_THE_MOMENT,
  watermarks: OF_THE_MOMENT,
  job_runs: OF_THE_MOMENT,
  open_alerts: OF_THE_MOMENT,
  node_figures: OF_THE_MOMENT,
  model_days: DERIVED,
  member_sightings: OF_THE_MOMENT,
  token_refusals: OF_THE_MOMENT,
  charge_notes: DERIVED,
  channel_traffic: OF_THE_MOMENT,
}

function byColumn(name: TableName, key: string, show: Show = asItIs): ExportedTable {
  return {
    name,
    show,
    position: (row) => positionOf(row[key]),
    read: (db, { after, limit }) => {
      const column = db.dynamic.ref(key)
      const rows = db.selectFrom(name).selectAll().orderBy(column).limit(limit)
      return (after === undefined ? rows : rows.where(column, '>', after)).execute()
    },
  }
}

/** The key has two columns, and pages go by the account alone: one account has few channels. */
function rollups(): ExportedTable {
  return {
    name: 'entry_rollup',
    show: asItIs,
    position: (row) => positionOf(row['account']),
    read: async (db, { after, limit }) => {
      const rows = db.selectFrom('entry_rollup').selectAll().orderBy('account').orderBy('channel_id')
      const page = await (after === undefined ? rows : rows.where('account', '>', Number(after)))
        .limit(limit)
        .execute()
      const last = page.at(-1)?.account
      if (page.length < limit || last === undefined) return page
      const whole = await rows.where('account', '=', last).execute()
      return [...page.filter(({ account }) => account !== last), ...whole]
    },
  }
}

function positionOf(value: unknown): Position {
  invariant(typeof value === 'string' || typeof value === 'number', 'a key is text or a number')
  return value
}

function showUser(row: ExportedRow, cipher: Cipher | undefined): ExportedRow {
  return cipher ? row : without(row, ['password_hash', 'access_token_hash', 'setting'])
}

/**
 * With secrets, the export holds the key itself in the form that its owner uses; for a deleted token only the
 * hash was kept.
 */
function showToken(row: ExportedRow, cipher: Cipher | undefined): ExportedRow {
  const shown = without(row, ['key_hash', 'key_sealed'])
  if (!cipher) return shown
  const stored = { key_hash: String(row['key_hash']), key_sealed: String(row['key_sealed']) }
  return {
    ...shown,
    key_hash: stored.key_hash,
    key: stored.key_sealed === '' ? null : openKey(stored, cipher),
  }
}

function showCode(row: ExportedRow, cipher: Cipher | undefined): ExportedRow {
  const shown = without(row, ['key_hash', 'key_sealed'])
  if (!cipher) return shown
  const stored = { key_hash: String(row['key_hash']), key_sealed: String(row['key_sealed']) }
  return { ...shown, key: openCode(stored, cipher) }
}

/** An override or a proxy address may contain a credential. */
function showChannel(row: ExportedRow, cipher: Cipher | undefined): ExportedRow {
  if (!cipher) return without(row, ['key_sealed', ...channelSecretColumns])
  const sealed = String(row['key_sealed'])
  const keys = sealed === '' ? [] : cipher.decrypt(sealed, channelKeyContext(Number(row['id']))).split('\n')
  return { ...without(row, ['key_sealed']), ...decryptChannelSecrets(secretsOf(row), cipher), keys }
}

function secretsOf(row: ExportedRow): ChannelSecrets & { readonly id: number } {
  const text = (name: string): string => String(row[name])
  return {
    id: Number(row['id']),
    header_override: text('header_override'),
    param_override: text('param_override'),
    setting: text('setting'),
  }
}

function showOption(row: ExportedRow, cipher: Cipher | undefined): ExportedRow {
  const key = String(row['key'])
  const value = String(row['value'])
  // An unknown option comes from another release and may be a secret, so its value is left out.
  const isSecret = !isOptionKey(key) || optionDefinition(key).isSecret
  if (!isSecret || value === '') return row
  if (!cipher) return without(row, ['value'])
  return isOptionKey(key) ? { ...row, value: cipher.decrypt(value, optionCipherContext(key)) } : row
}

function without(row: ExportedRow, names: readonly string[]): ExportedRow {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))
}
