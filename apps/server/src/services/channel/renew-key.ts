import type { channelKeyRoutes } from '@tollgate/contract/channel-key'
import type { Language } from '@tollgate/problems/problem'
import { problem } from '@tollgate/problems/problem'
import { channelKeyHash } from '@tollgate/store/channels/keys'
import { channelKeyContext, findChannel } from '@tollgate/store/channels/channels'
import { settingsIn } from '../../snapshots/channel.ts'
import type { ExpiringChannel } from '../../keys/credential-refresh.ts'
import type { Handler } from '../handler.ts'
import type { UserNotice } from '../notify/notify-user.ts'
import { type NotifyRootPorts, notifyRoot } from '../notify/notify-root.ts'
import { storedChannel } from './stored-channel.ts'
import { type ChannelServices, providerOf } from './services.ts'

/** Renews a key now at the operator's request, however long it remains valid. */
export function renewKey(services: ChannelServices): Handler<typeof channelKeyRoutes.renew> {
  const { cipher, credentialRefresh, audit } = services
  return async (call) => {
    const { params, body } = call
    const row = await storedChannel(services, params.id)
    const provider = providerOf(services, row.type)
    if (provider?.renewal === undefined) throw problem('channel_key_endless')
    const keys = cipher.decrypt(row.key_sealed, channelKeyContext(row.id)).split('\n')
    const key = keys.find((each) => channelKeyHash(row.id, each) === body.hash)
    if (key === undefined) throw problem('channel_key_unknown')
    const settings = settingsIn(row.secrets.setting)
    const channel = { id: row.id, provider, other: row.other, settings }
    const outcome = await credentialRefresh.renew(channel, key, 'asked')
    const after = { renewal: outcome.type }
    await audit(call, { action: 'keys', entity: 'channel', entityId: row.id, after })
    if (outcome.type === 'gone') throw problem('channel_key_unknown')
    if (outcome.type !== 'renewed') throw problem('channel_key_unrenewed', { reason: outcome.message })
    const endsMs = provider.renewal.lifeOf(outcome.key)?.endsMs ?? 0
    return { hash: channelKeyHash(row.id, outcome.key), ends_time: Math.floor(endsMs / 1000) }
  }
}

/**
 * Notifies the root user that a key could not be renewed and a new sign-in is needed, if possible while the
 * key still works.
 */
export async function notifyKeyNotRenewed(
  desk: NotifyRootPorts,
  { id }: Pick<ExpiringChannel, 'id'>,
  reason: string,
): Promise<void> {
  const name = (await findChannel(desk.store, id))?.name ?? ''
  const type = `channel_key_${id}`
  await notifyRoot(desk, { type, message: (language) => messageOf({ id, name, reason, type }, language) })
}

interface Unrenewed {
  readonly id: number
  readonly name: string
  readonly reason: string
  readonly type: string
}

function messageOf({ id, name, reason, type }: Unrenewed, language: Language): UserNotice {
  const title =
    language === 'zh'
      ? `通道「${name}」（#${id}）的登录凭据无法刷新`
      : `The sign-in of channel “${name}” (#${id}) could not be renewed`
  const content =
    language === 'zh'
      ? `${title}，原因：${reason}。凭据到期后将停止工作，请重新登录并更新密钥。`
      : `${title}: ${reason}. When it ends it stops to work: please sign in again and give the channel the new key.`
  return { type, title, content, values: [], link: '' }
}
