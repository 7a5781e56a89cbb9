import { setTimeout as pause } from 'node:timers/promises'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import type { Language } from '@tollgate/problems/problem'
import { listChannelsInOrder } from '@tollgate/store/channels/channels'
import type { JobFigures, RunContext } from '../../jobs/job.ts'
import { type NotifyRootPorts, notifyRoot } from '../notify/notify-root.ts'
import type { Services } from '../services.ts'
import { noteTest } from './probe.ts'
import type { KeyProbe, ProbePort, ProbeResult } from '../../ports/channel-probe.ts'
import type { ChannelSwitch } from './switch.ts'
import { testedMessage } from './tested-message.ts'

export interface TestAllParts extends Pick<Services, 'store' | 'clock' | 'options'> {
  readonly probe: ProbePort
  readonly switch: ChannelSwitch
  readonly desk: NotifyRootPorts
  /** Pause between two channels. */
  readonly pauseMs: number
}

type Row = Awaited<ReturnType<typeof listChannelsInOrder>>[number]

/**
 * Tests every channel, one at a time, and disables or enables those that fail or recover, as far as the site
 * settings and the channel allow it. If a person started the test, the root user is notified when it is over;
 * a scheduled run sends nothing.
 */
export function testAllChannels(parts: TestAllParts): (context?: RunContext) => Promise<JobFigures> {
  return async (context) => {
    const channels = await listChannelsInOrder(parts.store)
    const figures = { tested: 0, failed: 0, disabled: 0, enabled: 0 }
    const failed: string[] = []
    for (const channel of channels) {
      context?.report({ done: figures.tested, total: channels.length })
      const result = await parts.probe.probe({ channelId: channel.id })
      await noteTest(parts, channel.id, result)
      figures.tested++
      if (!result.ok) failed.push(channel.name)
      figures.failed = failed.length
      await switchKeys(parts, channel, result)
      const switched = await switchChannel(parts, channel, result)
      if (switched !== undefined) figures[switched]++
      if (parts.pauseMs > 0) await pause(parts.pauseMs)
    }
    if (context?.isAsked) {
      const run = { tested: figures.tested, failed, address: parts.options.get('ServerAddress') }
      const message = (language: Language) => testedMessage(run, language)
      await notifyRoot(parts.desk, { type: 'channel_test', message })
    }
    return figures
  }
}

/** Switches each key separately, as long as another working key remains. */
async function switchKeys(parts: TestAllParts, channel: Row, { keys }: ProbeResult): Promise<void> {
  const working = keys.filter(isWorking)
  for (const probe of keys) {
    const isOut = probe.isDisabled
    if (isOut && probe.ok && parts.options.get('AutomaticEnableChannelEnabled'))
      await parts.switch.enableKey({ channelId: channel.id, key: probe.key })
    const mayDisable = !isOut && isRefused(probe) && working.length > 0
    if (mayDisable && isAutomatic(parts, channel))
      await parts.switch.disableKey({ channelId: channel.id, key: probe.key, reason: probe.message })
  }
}

async function switchChannel(
  parts: TestAllParts,
  channel: Row,
  result: ProbeResult,
): Promise<'disabled' | 'enabled' | undefined> {
  const slow = slownessOf(parts, result)
  if (channel.status === CHANNEL_STATUS.enabled && isAutomatic(parts, channel)) {
    const reason = allRefused(result) ? result.message : slow
    if (reason === undefined) return undefined
    return (await parts.switch.disable({ channelId: channel.id, reason })) ? 'disabled' : undefined
  }
  const isBack = result.keys.some(isWorking) || (result.ok && result.keys.length === 0)
  const mayEnable = channel.status === CHANNEL_STATUS.autoDisabled && isBack && slow === undefined
  if (!mayEnable || !parts.options.get('AutomaticEnableChannelEnabled')) return undefined
  return (await parts.switch.enable(channel.id)) ? 'enabled' : undefined
}

function isAutomatic({ options }: TestAllParts, { auto_ban: autoBan }: Row): boolean {
  return autoBan === 1 && options.get('AutomaticDisableChannelEnabled')
}

function isWorking({ ok, isDisabled }: KeyProbe): boolean {
  return ok && !isDisabled
}

function isRefused({ ok, evidence }: KeyProbe): boolean {
  return !ok && evidence !== 'none'
}

function allRefused({ keys }: ProbeResult): boolean {
  const used = keys.filter(({ isDisabled }) => !isDisabled)
  return used.length > 0 && used.every(isRefused)
}

/** A limit of 0 switches this rule off. */
function slownessOf({ options }: TestAllParts, { durationMs }: ProbeResult): string | undefined {
  const limit = options.get('ChannelDisableThreshold')
  const seconds = durationMs / 1000
  return limit > 0 && seconds > limit
    ? `response time ${seconds.toFixed(2)} s exceeds threshold ${limit.toFixed(2)} s`
    : undefined
}
