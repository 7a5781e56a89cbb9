import type { ChannelKey } from '@tollgate/contract/channel-key'
import {
  MULTI_KEY_ROWS_DEFAULT,
  type MultiKeyRequest,
  type MultiKeyStatus,
  type familyRoutes,
} from '@tollgate/contract/family'
import { PAGE_ROWS_MAX } from '@tollgate/contract/query'
import { CHANNEL_STATUS, type SwitchedStatus } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import { keysOf, removeKeys, setStatusOfKeys } from '../channel/key-list.ts'
import type { ChannelServices } from '../channel/services.ts'
import { storedChannel } from '../channel/stored-channel.ts'
import type { Handler } from '../handler.ts'

/**
 * Our API identifies keys by their hashes and new-api by their positions: a position is translated into a
 * hash.
 */
export function manageKeys(services: ChannelServices): Handler<typeof familyRoutes.manageKeys> {
  const setStatus = setStatusOfKeys(services)
  const remove = removeKeys(services)
  return async (call) => {
    const { body } = call
    const params = { id: body.channel_id }
    const keys = await keysOf(services, await storedChannel(services, body.channel_id))
    const all = keys.map(({ hash }) => hash)
    const switched = (hashes: string[], status: SwitchedStatus) =>
      setStatus({ ...call, params, body: { hashes, status } })
    const actions = {
      get_key_status: () => statusOf(keys, body),
      disable_key: () => switched([hashAt(keys, body)], CHANNEL_STATUS.disabled),
      enable_key: () => switched([hashAt(keys, body)], CHANNEL_STATUS.enabled),
      disable_all_keys: () => switched(all, CHANNEL_STATUS.disabled),
      enable_all_keys: () => switched(all, CHANNEL_STATUS.enabled),
      delete_key: () => remove({ ...call, params, body: { hashes: [hashAt(keys, body)] } }),
      delete_disabled_keys: () => remove({ ...call, params, body: { auto_disabled: true } }),
    }
    return actions[body.action]()
  }
}

function hashAt(keys: readonly ChannelKey[], { key_index: index }: MultiKeyRequest): string {
  const key = typeof index === 'number' ? keys[index] : undefined
  if (!key) throw problem('channel_key_unknown')
  return key.hash
}

/** A page of keys with their positions in the whole list. */
function statusOf(keys: readonly ChannelKey[], request: MultiKeyRequest): MultiKeyStatus {
  const rows = Math.min(request.page_size || MULTI_KEY_ROWS_DEFAULT, PAGE_ROWS_MAX)
  const page = request.page || 1
  const count = (status: number) => keys.filter((key) => key.status === status).length
  const shown = keys
    .map((key, index) => ({ key, index }))
    .filter(({ key }) => !request.status || key.status === request.status)
  return {
    keys: shown.slice((page - 1) * rows, page * rows).map(({ key, index }) => ({
      index,
      status: key.status,
      disabled_time: key.status === CHANNEL_STATUS.enabled ? undefined : key.status_time,
      reason: key.status === CHANNEL_STATUS.enabled ? undefined : key.reason,
      key_preview: key.preview,
    })),
    total: shown.length,
    page,
    page_size: rows,
    total_pages: Math.ceil(shown.length / rows),
    enabled_count: count(CHANNEL_STATUS.enabled),
    manual_disabled_count: count(CHANNEL_STATUS.disabled),
    auto_disabled_count: count(CHANNEL_STATUS.autoDisabled),
  }
}
