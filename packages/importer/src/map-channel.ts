import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { mergeSettings } from '@tollgate/kit/merge-settings'
import type { ChannelTable } from '@tollgate/store/tables/channels'
import { code, decimal, seconds, text, units, whole } from './cell.ts'
import { type KeyState, readKeyStates } from './channel-info.ts'
import { bounded } from './figures.ts'
import { mergeOneApiConfig } from './one-api-config.ts'
import { convertOneApiType } from './one-api-types.ts'
import type { Note } from './note.ts'
import type { SourceRow } from './source.ts'

export interface MappedChannel {
  /** The row without its keys, which are stored encrypted. */
  readonly row: Omit<ChannelTable, 'id' | 'key_sealed' | 'key_preview' | 'version'> & { readonly id: number }
  /** All keys in one text, as the source stores them. */
  readonly keys: string
  /** Keys that are switched off, of a channel with several. */
  readonly keyStates: readonly KeyState[]
  readonly used: bigint
  readonly notes: readonly Note[]
}

export interface ChannelOptions {
  /** The source is one-api, whose numbers and columns of channels are its own. */
  readonly isOneApi: boolean
}

export function mapChannel(stored: SourceRow, { isOneApi }: ChannelOptions): MappedChannel {
  const row = isOneApi ? mergeOneApiConfig(stored) : stored
  const kind = isOneApi
    ? convertOneApiType(stored)
    : { type: code(row, 'type'), address: text(row, 'base_url').trim(), detail: undefined }
  const id = whole(row, 'id')
  const { status, notes } = statusOf(row, id)
  const { used, notes: doubts } = usedOf(row, id)
  return {
    row: {
      id,
      type: kind.type,
      name: text(row, 'name').trim() || `channel ${id}`,
      status,
      base_url: kind.address.replace(/\/+$/, ''),
      other: text(row, 'other').trim(),
      models: listOf(text(row, 'models')),
      group_names: listOf(text(row, 'group', 'default')) || 'default',
      model_mapping: jsonOf(row, 'model_mapping'),
      status_code_mapping: jsonOf(row, 'status_code_mapping'),
      param_override: jsonOf(row, 'param_override'),
      header_override: jsonOf(row, 'header_override'),
      setting: mergeSettings(text(row, 'setting'), text(row, 'settings')),
      model_prefix: text(row, 'model_prefix').trim(),
      openai_organization: text(row, 'open_ai_organization', text(row, 'openai_organization')).trim(),
      test_model: text(row, 'test_model').trim(),
      tag: text(row, 'tag').trim().slice(0, 255),
      remark: text(row, 'remark').slice(0, 255),
      priority: whole(row, 'priority'),
      weight: Math.max(0, whole(row, 'weight')),
      auto_ban: whole(row, 'auto_ban', 1) === 0 ? 0 : 1,
      other_info: text(row, 'other_info'),
      balance: decimal(row, 'balance'),
      balance_currency: '',
      balance_updated_time: seconds(row, 'balance_updated_time'),
      response_time: whole(row, 'response_time'),
      test_time: seconds(row, 'test_time'),
      test_outcome: '',
      test_status: 0,
      test_message: '',
      tested_model: '',
      created_time: seconds(row, 'created_time'),
    },
    keys: text(row, 'key').trim(),
    keyStates: readKeyStates(row),
    used,
    notes: [
      ...notes,
      ...doubts,
      ...(kind.detail === undefined
        ? []
        : [{ table: 'channels', id, code: 'channel-type-converted', detail: kind.detail } as const]),
    ],
  }
}

/** Splits a list at commas and line breaks, trims the elements, and drops empty and repeated ones. */
export function elements(list: string): readonly string[] {
  const all = list.split(/[,\n\r]/).map((element) => element.trim())
  return [...new Set(all)].filter((element) => element !== '')
}

function listOf(list: string): string {
  return elements(list).join(',')
}

function statusOf(row: SourceRow, id: number): { status: number; notes: readonly Note[] } {
  const status = whole(row, 'status', CHANNEL_STATUS.enabled)
  if (status >= CHANNEL_STATUS.enabled && status <= CHANNEL_STATUS.autoDisabled) return { status, notes: [] }
  const detail = `status ${status}`
  return {
    status: CHANNEL_STATUS.disabled,
    notes: [{ table: 'channels', id, code: 'channel-status-unknown', detail }],
  }
}

/** May be negative, because the source records some refunds twice. The value is kept as it is. */
function usedOf(row: SourceRow, id: number): { used: bigint; notes: readonly Note[] } {
  const claimed = units(row, 'used_quota')
  const used = bounded(claimed)
  if (used === claimed) return { used, notes: [] }
  return { used, notes: [{ table: 'channels', id, code: 'figures-too-large', detail: `used ${claimed}` }] }
}

/** JSON text of an object. The source writes "none" either as empty text or as `null`; both become "". */
function jsonOf(row: SourceRow, column: string): string {
  const json = text(row, column).trim()
  return json === 'null' ? '' : json
}
