import type { ChannelKey, channelKeyRoutes } from '@tollgate/contract/channel-key'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import { channelKeyHash, deleteKeyStates, listChannelKeys, setKeyStatus } from '@tollgate/store/channels/keys'
import { channelKeyContext, updateChannel } from '@tollgate/store/channels/channels'
import type { Change } from '../change.ts'
import { Answer, type Call, type Handler } from '../handler.ts'
import { type StoredChannel, storedChannel } from './stored-channel.ts'
import { previewKey, previewLines, readKeys } from './keys.ts'
import type { KeySnapshot } from '../../ports/channel-insight.ts'
import { type ChannelServices, providerOf } from './services.ts'

export function listKeys(services: ChannelServices): Handler<typeof channelKeyRoutes.list> {
  return async ({ params, query }) => {
    const all = await keysOf(services, await storedChannel(services, params.id))
    const shown = query.status === undefined ? all : all.filter((key) => key.status === query.status)
    const start = query.p * query.page_size
    const count = (status: number) => all.filter((key) => key.status === status).length
    return new Answer({
      data: shown.slice(start, start + query.page_size),
      extra: {
        total: shown.length,
        enabled: count(CHANNEL_STATUS.enabled),
        disabled: count(CHANNEL_STATUS.disabled),
        auto_disabled: count(CHANNEL_STATUS.autoDisabled),
      },
    })
  }
}

/** Lists the stored keys in order, with the state of each from the database and from this process. */
export async function keysOf(services: ChannelServices, row: StoredChannel): Promise<readonly ChannelKey[]> {
  const states = await listChannelKeys(services.store, row.id)
  const byHash = new Map(states.map((state) => [state.key_hash, state]))
  const looks = services.routing.keySnapshots(row.id)
  const renewal = providerOf(services, row.type)?.renewal
  return openKeys(services, row).map((key, index) => {
    const hash = channelKeyHash(row.id, key)
    const state = byHash.get(hash)
    const look = looks[index] ?? UNKNOWN
    return {
      hash,
      preview: previewKey(key),
      status: state?.status ?? CHANNEL_STATUS.enabled,
      reason: state?.reason ?? '',
      status_time: Math.floor((state?.status_ms ?? 0) / 1000),
      uses: (state?.uses ?? 0) + look.uses,
      last_used_time: Math.floor((state?.last_used_ms ?? 0) / 1000),
      state: look.state,
      rest_ms: look.restMs,
      ends_time: Math.floor((renewal?.lifeOf(key)?.endsMs ?? 0) / 1000),
      can_renew: renewal !== undefined,
    }
  })
}

const UNKNOWN: KeySnapshot = { state: 'ready', restMs: 0, uses: 0 }

function openKeys({ cipher }: ChannelServices, row: StoredChannel): readonly string[] {
  const text = cipher.decrypt(row.key_sealed, channelKeyContext(row.id))
  return text === '' ? [] : text.split('\n')
}

export function addKeys(services: ChannelServices): Handler<typeof channelKeyRoutes.add> {
  return async (call) => {
    const row = await storedChannel(services, call.params.id)
    const provider = providerOf(services, row.type)
    const known = openKeys(services, row)
    const isKnown = new Set(known)
    const added = readKeys(call.body.key, provider)
      .split('\n')
      .filter((key) => !isKnown.has(key))
    if (added.length === 0) return 0
    await changeKeys(services, call, {
      work: (transaction) => writeKeys({ ...services, store: transaction }, row, [...known, ...added]),
      after: { added: added.length },
    })
    return added.length
  }
}

export function setStatusOfKeys(services: ChannelServices): Handler<typeof channelKeyRoutes.setStatus> {
  return async (call) => {
    const row = await storedChannel(services, call.params.id)
    const { status } = call.body
    const hashes = present(services, row, call.body.hashes)
    const nowMs = services.clock.nowMs()
    await changeKeys(services, call, {
      work: (transaction) =>
        setKeyStatus(transaction, { channelId: row.id, hashes }, { status, reason: '', nowMs }),
      after: { keys: hashes.length, status },
    })
    if (status === CHANNEL_STATUS.enabled) services.routing.pardonKeys(row.id, new Set(hashes))
    return hashes.length
  }
}

export function removeKeys(services: ChannelServices): Handler<typeof channelKeyRoutes.remove> {
  return async (call) => {
    const row = await storedChannel(services, call.params.id)
    const gone = new Set(
      'hashes' in call.body ? present(services, row, call.body.hashes) : await dead(services, row),
    )
    if (gone.size === 0) return 0
    const kept = openKeys(services, row).filter((key) => !gone.has(channelKeyHash(row.id, key)))
    if (kept.length === 0) throw problem('channel_last_key')
    await changeKeys(services, call, {
      work: async (transaction) => {
        await writeKeys({ ...services, store: transaction }, row, kept)
        await deleteKeyStates(transaction, { channelId: row.id, hashes: [...gone] })
      },
      after: { removed: gone.size },
    })
    return gone.size
  }
}

/** Returns those of the requested keys that the channel has. */
function present(
  services: ChannelServices,
  row: StoredChannel,
  hashes: readonly string[],
): readonly string[] {
  const known = new Set(openKeys(services, row).map((key) => channelKeyHash(row.id, key)))
  const found = [...new Set(hashes)].filter((hash) => known.has(hash))
  if (found.length === 0) throw problem('channel_key_unknown')
  return found
}

async function dead({ store }: ChannelServices, row: StoredChannel): Promise<readonly string[]> {
  const states = await listChannelKeys(store, row.id)
  return states.filter(({ status }) => status === CHANNEL_STATUS.autoDisabled).map((state) => state.key_hash)
}

/** Fails if the channel was edited meanwhile, so that no concurrent change is overwritten. */
async function writeKeys(
  { store, cipher }: ChannelServices,
  row: StoredChannel,
  keys: readonly string[],
): Promise<void> {
  const text = readKeys(keys.join('\n'), undefined)
  const change = {
    key_sealed: cipher.encrypt(text, channelKeyContext(row.id)),
    key_preview: previewLines(text.split('\n')),
  }
  if (!(await updateChannel(store, { id: row.id, version: row.version, change })))
    throw problem('channel_version_changed')
}

type Who = Pick<Call<typeof channelKeyRoutes.setStatus>, 'actor' | 'address' | 'params'>

async function changeKeys(
  { change }: ChannelServices,
  who: Who,
  { work, after }: Pick<Change<void>, 'work'> & { readonly after: object },
): Promise<void> {
  const { id } = who.params
  await change(who, {
    action: 'keys',
    entity: 'channel',
    work,
    row: { entityId: id, after, notice: ['channels', id] },
  })
}
