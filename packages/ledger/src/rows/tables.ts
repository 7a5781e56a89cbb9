import { priceHash } from '@tollgate/billing/price-hash'
import type { EntryKind } from '@tollgate/store/tables/ledger'
import { accountKind, accountOwner } from '../core/account-kind.ts'
import type {
  AccountState,
  AllotmentState,
  EntryState,
  HoldState,
  JournalState,
  RejectedState,
  TaskState,
} from '../core/state.ts'
import {
  flag,
  integer,
  key,
  longText,
  money,
  optionalInteger,
  optionalKey,
  optionalLongText,
  optionalMoney,
  text,
} from './fields.ts'
import { type Field, RowTable, WrittenTable } from './table.ts'

/** The tables of the ledger, each declared once. */

export const accountTable = new RowTable<AccountState>({
  name: 'account',
  keys: ['id'],
  constant: ['kind', 'owner_id'],
  isVersioned: true,
  fields: {
    id: integer('id'),
    granted: money('granted'),
    remaining: money('remaining'),
    reserved: money('reserved'),
    used: money('used'),
    debt: money('debt'),
    followed: money('followed'),
    isUnlimited: flag('unlimited'),
    version: integer('version'),
    openHolds: integer('open_holds'),
    budgetSinceMs: integer('budget_since_ms'),
    budgetBase: money('budget_base'),
    exposed: money('exposed'),
    hasPaid: flag('paid'),
    scarceUntilMs: integer('scarce_until_ms'),
  },
  derived: {
    kind: { word: 'key', encode: ({ id }) => accountKind(id) },
    owner_id: { word: 'int8', encode: ({ id }) => accountOwner(id) },
  },
})

export const holdTable = new RowTable<HoldState>({
  name: 'hold',
  keys: ['id'],
  constant: [
    'user_acct',
    'token_acct',
    'price_json',
    'price_hash',
    'further_prices',
    'instance_id',
    'created_ms',
  ],
  fields: {
    id: key('id'),
    userAccount: integer('user_acct'),
    tokenAccount: optionalInteger('token_acct'),
    isTokenFollowed: flag('token_followed'),
    amount: money('amount'),
    ceiling: money('ceiling'),
    checkpoint: money('checkpoint'),
    priceJson: price(),
    furtherPrices: hashList('further_prices'),
    channelId: optionalInteger('channel_id'),
    instanceId: key('instance_id'),
    createdMs: integer('created_ms'),
  },
  derived: { price_json: { word: 'text', encode: () => '' } },
})

export const entryTable = new RowTable<EntryState>({
  name: 'entry',
  fields: {
    opKey: key('op_key'),
    kind: entryKind('kind'),
    requestId: optionalKey('request_id'),
    taskId: optionalKey('task_id'),
    userAccount: integer('user_acct'),
    tokenAccount: optionalInteger('token_acct'),
    channelId: optionalInteger('channel_id'),
    amount: money('amount'),
    flags: flagList('flags'),
    waived: money('waived'),
    balanceAfter: optionalMoney('balance_after'),
    priceJson: optionalPrice(),
    usageJson: optionalLongText('usage_json'),
    note: optionalLongText('note'),
    createdMs: integer('created_ms'),
  },
})

/** The JSON of prices, which holds and entries name by its hash. Written before them. */
export const priceTable = new WrittenTable<string>({
  name: 'price',
  keys: ['hash'],
  columns: {
    hash: { word: 'key', encode: priceHash },
    content: { word: 'text', encode: (json) => json },
  },
})

export const allotmentTable = new RowTable<AllotmentState>({
  name: 'allotment',
  keys: ['account_id', 'instance_id'],
  fields: {
    account: integer('account_id'),
    instanceId: key('instance_id'),
    amount: money('amount'),
    free: money('free'),
    openHolds: integer('open_holds'),
    exposed: money('exposed'),
    budgetSinceMs: integer('budget_since_ms'),
    budgetAmount: money('budget_amount'),
    budgetFree: money('budget_free'),
    exactUntilMs: integer('exact_until_ms'),
  },
})

export const journalTable = new RowTable<JournalState>({
  name: 'journal',
  keys: ['file_id'],
  constant: ['instance_id'],
  fields: {
    fileId: key('file_id'),
    instanceId: key('instance_id'),
    position: integer('position'),
    openFrom: integer('open_from'),
    updatedMs: integer('updated_ms'),
  },
})

export const rejectedTable = new RowTable<RejectedState>({
  name: 'journal_rejected',
  fields: {
    fileId: key('file_id'),
    position: integer('position'),
    line: longText('line'),
    reason: longText('reason'),
    createdMs: integer('created_ms'),
  },
})

/** What the ledger reads of a task; it writes the whole row by {@link import('./task-tables.ts')}. */
export const taskTable = new RowTable<TaskState>({
  name: 'tasks',
  keys: ['id'],
  fields: { id: integer('id'), version: integer('version') },
})

/** Stored by content hash; read from the price's own row, or from the row itself if an earlier version wrote it. */
function price(): Field<string> {
  return {
    column: 'price_hash',
    word: 'key',
    encode: priceHash,
    decode: text,
    select: (prefix) => `coalesce(nullif(${prefix}price_json, ''), ${contentOf(prefix)}, '')`,
  }
}

function optionalPrice(): Field<string | undefined> {
  return {
    ...optionalKey('price_hash'),
    encode: (json) => (json === undefined ? null : priceHash(json)),
    select: (prefix) => `coalesce(${prefix}price_json, ${contentOf(prefix)})`,
  }
}

function contentOf(prefix: string): string {
  return `(select price.content from price where price.hash = ${prefix}price_hash)`
}

function flagList(column: string): Field<readonly string[]> {
  return {
    column,
    word: 'text',
    encode: (flags) => flags.join(','),
    decode: (cell) => (cell === '' ? [] : text(cell).split(',')),
  }
}

/** Null in rows of earlier versions, and where there is none. */
function hashList(column: string): Field<readonly string[]> {
  return {
    column,
    word: 'text',
    encode: (hashes) => (hashes.length === 0 ? null : hashes.join(',')),
    decode: (cell) => (typeof cell === 'string' && cell !== '' ? cell.split(',') : []),
  }
}

/** Safe cast: a check constraint on the column allows no other value. */
function entryKind(column: string): Field<EntryKind> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return { ...key(column), decode: (cell) => text(cell) as EntryKind }
}
