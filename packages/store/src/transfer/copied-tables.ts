import type { Database } from '../tables/schema.ts'

/** Describes how a table is read when it is copied whole. */
export interface CopiedTable {
  readonly name: keyof Database
  /** The column that defines the order in which rows are read. */
  readonly by: string
  /** Several rows may share a value of `by`; such rows are copied together. */
  readonly isGrouped: boolean
  /** The database assigns the ids. */
  readonly isNumbered: boolean
  readonly rowsAtOnce: number
}

type Shape = Partial<CopiedTable> & Pick<CopiedTable, 'by'>

/** Even the widest rows, this many at a time, stay far below the parameter limit of every engine. */
const ROWS_AT_ONCE = 250
/** For tables whose rows may hold megabytes of text. */
const LARGE_ROWS_AT_ONCE = 10

const numbered: Shape = { by: 'id', isNumbered: true }
const byHour: Shape = { by: 'hour_at', isGrouped: true }
/** Not copied: rows that are valid for half a minute at most and mean nothing once the database has moved. */
const OF_THE_MOMENT = undefined
/** Not copied: the copy gets an id of its own. */
const OF_THIS_DATABASE = undefined
/** Not copied as a table: the ledger copies it as part of the totals. */
const OF_THE_LEDGER = undefined

/** Every table. A table that others refer to comes before them. */
const shapes: Readonly<Record<keyof Database, Shape | undefined>> = {
  price: { by: 'hash' },
  account: { by: 'id' },
  instance: { by: 'id' },
  hold: { by: 'id' },
  entry: numbered,
  allotment: { by: 'account_id', isGrouped: true },
  journal: { by: 'file_id' },
  journal_rejected: numbered,
  database_identity: OF_THIS_DATABASE,
  installation: OF_THIS_DATABASE,
  entry_rollup: { by: 'account', isGrouped: true },
  totals: OF_THE_LEDGER,
  tally: OF_THE_LEDGER,
  users: numbered,
  identities: { by: 'identity_hash' },
  sessions: { by: 'id_hash' },
  oauth_states: { by: 'state_hash' },
  one_time_codes: numbered,
  spent_marks: { by: 'mark_hash' },
  known_networks: { by: 'network_hash' },
  email_undos: numbered,
  account_notices: numbered,
  tokens: numbered,
  channels: numbered,
  channel_keys: numbered,
  channel_traffic: numbered,
  options: { by: 'key' },
  option_changes: numbered,
  price_books: { by: 'version', isNumbered: true, rowsAtOnce: LARGE_ROWS_AT_ONCE },
  setups: { by: 'id' },
  audit_log: numbered,
  redemptions: numbered,
  redemption_uses: numbered,
  top_ups: numbered,
  tasks: numbered,
  outbox: numbered,
  usage_hours: numbered,
  usage_cells: byHour,
  usage_routes: byHour,
  usage_owners: byHour,
  usage_owner_groups: byHour,
  usage_route_days: byHour,
  usage_owner_days: byHour,
  usage_owner_model_days: byHour,
  usage_owner_group_days: byHour,
  usage_owner_channel_days: byHour,
  log_hours: { by: 'hour_at' },
  logs: numbered,
  log_texts: { by: 'request_id', rowsAtOnce: LARGE_ROWS_AT_ONCE },
  job_runs: { by: 'name' },
  open_alerts: { by: 'name' },
  node_figures: OF_THE_MOMENT,
  model_days: numbered,
  member_sightings: numbered,
  charge_notes: numbered,
  token_refusals: numbered,
  watermarks: { by: 'name' },
  lease: OF_THE_MOMENT,
  changes: OF_THE_MOMENT,
}

/** The tables that are copied, in copying order. */
export const copiedTables: readonly CopiedTable[] = Object.keys(shapes)
  .filter(isTable)
  .flatMap((name) => {
    const shape = shapes[name]
    return shape ? [{ isGrouped: false, isNumbered: false, rowsAtOnce: ROWS_AT_ONCE, ...shape, name }] : []
  })

function isTable(name: string): name is keyof Database {
  return name in shapes
}
