import type { Flag } from '@tollgate/store/tables/flag'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { integer, longText, money } from './fields.ts'
import { type Field, RowTable } from './table.ts'

/** The usage log. Its rows have the names of their columns. */
export const logTable = new RowTable<UsageLogRow>({
  name: 'logs',
  keys: ['request_id'],
  fields: {
    request_id: nullableKey('request_id'),
    user_id: integer('user_id'),
    created_at: integer('created_at'),
    type: integer('type'),
    content: longText('content'),
    username: longText('username'),
    token_id: integer('token_id'),
    token_name: longText('token_name'),
    model_name: longText('model_name'),
    quota: money('quota'),
    prompt_tokens: integer('prompt_tokens'),
    completion_tokens: integer('completion_tokens'),
    use_time: integer('use_time'),
    duration_ms: integer('duration_ms'),
    first_byte_ms: integer('first_byte_ms'),
    is_stream: zeroOrOne('is_stream'),
    channel_id: integer('channel_id'),
    group_name: longText('group_name'),
    ip: longText('ip'),
    other: longText('other'),
    cost: nullableMoney('cost'),
    session: nullableText('session'),
    client: nullableText('client'),
    client_version: nullableText('client_version'),
    cached_tokens: nullableInteger('cached_tokens'),
    cache_saved: nullableMoney('cache_saved'),
    upstream_request_id: nullableText('upstream_request_id'),
  },
})

function nullableKey(column: string): Field<string | null> {
  return {
    column,
    word: 'key',
    encode: (value) => value,
    decode: (cell) => (typeof cell === 'string' ? cell : null),
  }
}

function nullableMoney(column: string): Field<bigint | null | undefined> {
  return {
    column,
    word: 'int8',
    encode: (value) => value ?? null,
    decode: (cell) => (typeof cell === 'bigint' ? cell : null),
  }
}

function nullableText(column: string): Field<string | null | undefined> {
  return {
    column,
    word: 'text',
    encode: (value) => value ?? null,
    decode: (cell) => (typeof cell === 'string' ? cell : null),
  }
}

function nullableInteger(column: string): Field<number | null | undefined> {
  return {
    column,
    word: 'int8',
    encode: (value) => value ?? null,
    decode: (cell) => (cell === null || cell === undefined ? null : Number(cell)),
  }
}

function zeroOrOne(column: string): Field<Flag> {
  return { column, word: 'int4', encode: (value) => value, decode: (cell) => (Number(cell) === 1 ? 1 : 0) }
}
