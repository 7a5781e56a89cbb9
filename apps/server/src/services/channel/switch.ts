import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import type { Language } from '@tollgate/problems/problem'
import { channelKeyHash, setKeyStatus } from '@tollgate/store/channels/keys'
import { type ChannelRow, findChannel, updateChannel } from '@tollgate/store/channels/channels'
import type { UserNotice } from '../notify/notify-user.ts'
import { type NotifyRootPorts, notifyRoot } from '../notify/notify-root.ts'
import type { Services } from '../services.ts'

/** Changes the status of channels and keys automatically: after refusals, tests or an empty balance. */
export interface ChannelSwitch {
  /** Returns false if the channel was not enabled. */
  disable(input: { channelId: number; reason: string }): Promise<boolean>
  /** Enables only a channel that was disabled automatically; otherwise returns false. */
  enable(channelId: number): Promise<boolean>
  disableKey(input: { channelId: number; key: string; reason: string }): Promise<void>
  enableKey(input: { channelId: number; key: string }): Promise<void>
}

export type SwitchParts = Pick<Services, 'store' | 'clock' | 'notices'> & {
  readonly desk: NotifyRootPorts
  /** A copy of another database disables nothing: its channels may be refused only because the original uses them. */
  readonly isConfirmed: () => boolean
}

const REASON_CHARACTERS = 500
/** A concurrent edit of the channel causes a retry. */
const ATTEMPTS_MAX = 5

export function openChannelSwitch({ store, clock, notices, desk, isConfirmed }: SwitchParts): ChannelSwitch {
  /** Changes the status from one value to another, regardless of concurrent changes to other columns. */
  async function turn(
    channelId: number,
    { from, to, otherInfo, reason }: Turn & { readonly otherInfo: string },
  ): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const row = await findChannel(store, channelId)
      if (row?.status !== from) return false
      const change = { status: to, other_info: otherInfo }
      if (!(await updateChannel(store, { id: channelId, version: row.version, change }))) continue
      await notices.publish('channels', channelId)
      const type = `channel_update_${channelId}_${to}`
      await notifyRoot(desk, { type, message: (language) => switchMessage(row, { type, reason, language }) })
      return true
    }
    return false
  }

  async function setKey(channelId: number, key: string, status: number, reason: string): Promise<void> {
    const hashes = [channelKeyHash(channelId, key)]
    await setKeyStatus(store, { channelId, hashes }, { status, reason, nowMs: clock.nowMs() })
    await notices.publish('channels', channelId)
  }

  return {
    disable: async ({ channelId, reason: text }) => {
      if (!isConfirmed()) return false
      const reason = text.slice(0, REASON_CHARACTERS)
      const note = { status_reason: reason, status_time: Math.floor(clock.nowMs() / 1000) }
      const { enabled: from, autoDisabled: to } = CHANNEL_STATUS
      return turn(channelId, { from, to, reason, otherInfo: JSON.stringify(note) })
    },
    enable: (channelId) => {
      const { autoDisabled: from, enabled: to } = CHANNEL_STATUS
      return turn(channelId, { from, to, otherInfo: '' })
    },
    disableKey: async ({ channelId, key, reason }) => {
      if (!isConfirmed()) return
      await setKey(channelId, key, CHANNEL_STATUS.autoDisabled, reason.slice(0, REASON_CHARACTERS))
    },
    enableKey: ({ channelId, key }) => setKey(channelId, key, CHANNEL_STATUS.enabled, ''),
  }
}

interface Turn {
  readonly from: number
  readonly to: number
  /** Why the channel is disabled; `undefined` when it is enabled. */
  readonly reason?: string
}

function switchMessage(
  { id, name }: Pick<ChannelRow, 'id' | 'name'>,
  { type, reason, language }: Pick<Turn, 'reason'> & { type: string; language: Language },
): UserNotice {
  const isDisabled = reason !== undefined
  const title =
    language === 'zh'
      ? `通道「${name}」（#${id}）已被${isDisabled ? '禁用' : '启用'}`
      : `Channel “${name}” (#${id}) has been ${isDisabled ? 'disabled' : 'enabled'}`
  const message = { type, title, values: [], link: '' }
  if (!isDisabled) return { ...message, content: title }
  const content = language === 'zh' ? `${title}，原因：${reason}` : `${title}. Reason: ${reason}`
  return { ...message, content }
}
