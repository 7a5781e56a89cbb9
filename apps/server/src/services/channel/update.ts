import type { channelRoutes } from '@tollgate/contract/channel'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { Problem, problem } from '@tollgate/problems/problem'
import { channelKeyHash, deleteKeyStates, listChannelKeys, restoreKeys } from '@tollgate/store/channels/keys'
import { encryptChannelSecrets } from '@tollgate/store/channels/secrets'
import {
  type ChannelChange,
  channelKeyContext,
  updateChannel as updateRow,
} from '@tollgate/store/channels/channels'
import type { z } from 'zod'
import type { Guard, Handler } from '../handler.ts'
import { isMoved } from './destination.ts'
import { readFields, requireBaseUrl, requireProvider } from './fields.ts'
import { type StoredChannel, storedChannel } from './stored-channel.ts'
import { type SentKeys, keysAfter, previewKeys } from './keys.ts'
import { keepOwnSwitches } from './own-switches.ts'
import { keepsStoredValues, withStoredSecrets } from './secrets/masked-secrets.ts'
import { withSecondSettings } from './second-settings.ts'
import { type ChannelServices, providerOf } from './services.ts'
import { auditable, changedSecrets, keyCount, toWireChannel } from './wire.ts'

type Body = z.output<typeof channelRoutes.update.body>

/**
 * Updates the fields that were sent. If the caller read an older version, the update fails instead of
 * overwriting.
 */
export function updateChannel(services: ChannelServices): Handler<typeof channelRoutes.update> {
  return async (call) => {
    const { body, guard } = call
    const row = await storedChannel(services, body.id)
    if (body.version !== undefined && body.version !== row.version) throw problem('channel_version_changed')
    const change = readChange(services, row, body)
    requireRight(guard, { isMoved: isMovedBy(services, row, change), ...enteredAgain(body, row, change) })
    const { id, version } = row
    const encrypted = encryptChannelSecrets(change, { id, cipher: services.cipher })
    await services.change(call, {
      action: 'update',
      entity: 'channel',
      work: async (transaction) => {
        if (!(await updateRow(transaction, { id, version, change: encrypted })))
          throw problem('channel_version_changed')
        await settleKeys({ ...services, store: transaction }, row, change)
      },
      row: {
        entityId: id,
        before: auditable(previous(row, change)),
        after: auditable(change),
        notice: 'channels',
      },
    })
    return toWireChannel(await storedChannel(services, row.id))
  }
}

/** The change with secrets in clear, containing only values that differ from the stored ones. */
function readChange(services: ChannelServices, row: StoredChannel, body: Body): ChannelChange {
  const type = body.type || row.type
  const provider = providerOf(services, type)
  if (type !== row.type) requireProvider(provider, type)
  const form = withStoredSecrets(type === row.type ? body : { other: null, ...body }, row.secrets)
  const sent = withSecondSettings(withOwnSwitches(form, row), row.secrets.setting)
  const change = {
    ...changedSecrets(readFields(sent, provider ?? { type }), row.secrets),
    ...readStatus(body, row),
    ...(type !== row.type && { type }),
    ...readKey(services, row, { text: body.key ?? '', mode: body.key_mode, type }),
  }
  requireBaseUrl(provider, change.base_url ?? row.base_url)
  requireKey(row, change)
  return change
}

/** Our own console sends the version that it read, and all switches. */
function withOwnSwitches<Form extends Pick<Body, 'setting' | 'version'>>(
  form: Form,
  { secrets }: StoredChannel,
): Form {
  const { setting, version } = form
  if (version !== undefined || setting === undefined) return form
  return { ...form, setting: keepOwnSwitches(setting ?? '', secrets.setting) }
}

function isMovedBy(services: ChannelServices, row: StoredChannel, change: ChannelChange): boolean {
  const next = { ...row, ...change, secrets: { ...row.secrets, ...change } }
  return isMoved(row, next, providerOf(services, next.type))
}

interface Entered {
  /**
   * All keys were entered again: the text is not the stored preview, and no stored key is kept beside them.
   */
  readonly hasKey: boolean
  /** `hasKey`, and no other stored secret stays in force either. */
  readonly hasAll: boolean
}

function enteredAgain(body: Body, row: StoredChannel, { key_sealed: key }: ChannelChange): Entered {
  const hasKey = key !== undefined && body.key_mode !== 'append'
  return { hasKey, hasAll: hasKey && !keepsStoredValues(body, row.secrets) }
}

/**
 * If stored keys or header values would be sent to a new destination, the caller must either enter them all
 * again or be allowed to see them.
 */
function requireRight(guard: Guard, { isMoved: when, hasKey, hasAll }: Entered & { isMoved: boolean }): void {
  try {
    guard.require({ when, hasSecret: hasAll })
  } catch (error) {
    const lacksValues = hasKey && error instanceof Problem && error.code === 'secret_needed_again'
    throw lacksValues ? problem('channel_values_needed_again', {}, { cause: error }) : error
  }
}

/** A copied channel may have no key. */
function requireKey(row: StoredChannel, { status, key_sealed: added }: ChannelChange): void {
  const isKeyless = row.key_preview === '' && added === undefined
  if (status === CHANNEL_STATUS.enabled && isKeyless) throw problem('channel_key_missing')
}

/** An empty key, or the stored preview that a form sends back, keeps the stored keys. */
function readKey(
  services: ChannelServices,
  row: StoredChannel,
  { text, mode, type }: Pick<SentKeys, 'text' | 'mode'> & { type: number },
): ChannelChange {
  if (text.trim() === '' || text === row.key_preview) return {}
  const openStored = () => services.cipher.decrypt(row.key_sealed, channelKeyContext(row.id))
  const storedCount = keyCount(row.key_preview)
  const key = keysAfter({ text, mode, storedCount, openStored }, providerOf(services, type))
  return {
    key_sealed: services.cipher.encrypt(key, channelKeyContext(row.id)),
    key_preview: previewKeys(key),
  }
}

/**
 * A status set by an operator clears the reason of an automatic change. A complete form without a version may
 * be old: its status must not undo an automatic disabling that no operator has seen, so in that case only a
 * request with nothing but the status enables the channel.
 */
function readStatus(body: Body, row: StoredChannel): ChannelChange {
  const { id: _id, status, version, ...others } = body
  const isChoice = status === CHANNEL_STATUS.enabled || status === CHANNEL_STATUS.disabled
  if (!isChoice || status === row.status) return {}
  const isOldForm = version === undefined && Object.keys(others).length > 0
  if (isOldForm && row.status === CHANNEL_STATUS.autoDisabled) return {}
  return { status, other_info: '' }
}

/**
 * A channel enabled by an operator tries all its keys again. The recorded state of removed keys is deleted.
 */
async function settleKeys(
  { store, clock, cipher }: ChannelServices,
  row: StoredChannel,
  { status, key_sealed: sealed }: ChannelChange,
): Promise<void> {
  if (status === CHANNEL_STATUS.enabled) await restoreKeys(store, { ids: [row.id] }, clock.nowMs())
  if (sealed === undefined) return
  const keys = cipher.decrypt(sealed, channelKeyContext(row.id)).split('\n')
  const kept = new Set(keys.map((key) => channelKeyHash(row.id, key)))
  const known = await listChannelKeys(store, row.id)
  const gone = known.map((key) => key.key_hash).filter((hash) => !kept.has(hash))
  await deleteKeyStates(store, { channelId: row.id, hashes: gone })
}

function previous({ secrets, ...row }: StoredChannel, change: ChannelChange): ChannelChange {
  const columns = new Set(Object.keys(change))
  return Object.fromEntries(Object.entries({ ...row, ...secrets }).filter(([name]) => columns.has(name)))
}
