import { setTimeout as pause } from 'node:timers/promises'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { parseObject } from '@tollgate/kit/json'
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
  /** Time between two good tests; a minute if absent. */
  readonly confirmMs?: number
}

type Row = Awaited<ReturnType<typeof listChannelsInOrder>>[number]

/** Time between the two good tests after which a scheduled run enables what was disabled automatically. */
const CONFIRM_MS = 60_000
/** A scheduled run tests channels whose test costs as much as a call no more often. */
const COSTLY_EVERY_SECONDS = 3600

/**
 * Tests every channel, one at a time, and disables or enables those that fail or recover, as far as the site
 * settings and the channel allow it. What a person disabled stays so. If a person started the test, one good
 * test enables a channel or key, and the root user is notified when it is over. A scheduled run sends nothing
 * and needs two good tests a minute apart.
 */
export function testAllChannels(parts: TestAllParts): (context?: RunContext) => Promise<JobFigures> {
  return async (context) => {
    const channels = await listChannelsInOrder(parts.store)
    const figures = { tested: 0, failed: 0, disabled: 0, enabled: 0 }
    const failed: string[] = []
    const recovering: RecoveringChannel[] = []
    const isAsked = context?.isAsked === true
    for (const channel of channels) {
      context?.report({ done: figures.tested, total: channels.length })
      if (!isAsked && isTooSoon(parts, channel)) continue
      const result = await testChannelNow(parts, channel)
      figures.tested++
      if (!result.ok) failed.push(channel.name)
      figures.failed = failed.length
      const isConfirmed = isAsked || wasGoodBefore(parts, channel)
      const switched = await switchAfter(parts, channel, { result, isConfirmed })
      if (switched !== undefined) figures[switched]++
      else if (!isConfirmed && isRecovering(channel, result))
        recovering.push({ channel, testedMs: parts.clock.monotonicMs() })
      if (parts.pauseMs > 0) await pause(parts.pauseMs)
    }
    figures.enabled += await confirmRecovery(parts, recovering, context?.signal)
    if (context?.isAsked) {
      const run = { tested: figures.tested, failed, address: parts.options.get('ServerAddress') }
      const message = (language: Language) => testedMessage(run, language)
      await notifyRoot(parts.desk, { type: 'channel_test', message })
    }
    return figures
  }
}

interface RecoveringChannel {
  readonly channel: Row
  /** Monotonic time of the first good test. */
  readonly testedMs: number
}

async function testChannelNow(parts: TestAllParts, { id }: Row): Promise<ProbeResult> {
  const result = await parts.probe.probe({ channelId: id })
  await noteTest(parts, id, result)
  return result
}

/** Tests each channel that passed once more, and returns how many were enabled. */
async function confirmRecovery(
  parts: TestAllParts,
  recovering: readonly RecoveringChannel[],
  signal?: AbortSignal,
): Promise<number> {
  let enabled = 0
  for (const { channel, testedMs } of recovering) {
    // The next run confirms a costly test.
    if (parts.probe.isCostlyProbe(channel.id)) continue
    const waitMs = testedMs + (parts.confirmMs ?? CONFIRM_MS) - parts.clock.monotonicMs()
    if (waitMs > 0 && (await isStoppedWithin(waitMs, signal))) break
    const result = await testChannelNow(parts, channel)
    if ((await switchAfter(parts, channel, { result, isConfirmed: true })) === 'enabled') enabled++
  }
  return enabled
}

async function isStoppedWithin(ms: number, signal?: AbortSignal): Promise<boolean> {
  try {
    await pause(ms, undefined, { ref: false, ...(signal && { signal }) })
    return false
  } catch {
    // The process is stopping; the next run begins anew.
    return true
  }
}

function isTooSoon({ probe, clock }: TestAllParts, { id, test_time: testedSeconds }: Row): boolean {
  return clock.nowMs() / 1000 - testedSeconds < COSTLY_EVERY_SECONDS && probe.isCostlyProbe(id)
}

/** Whether the test before, at least a minute ago, was good and came after the channel was disabled. */
function wasGoodBefore({ clock, confirmMs = CONFIRM_MS }: TestAllParts, channel: Row): boolean {
  const { test_outcome: outcome, test_time: testedSeconds, other_info: info } = channel
  const { status_time: disabledSeconds = 0 } = parseObject(info) ?? {}
  const isAfter = typeof disabledSeconds === 'number' && testedSeconds > disabledSeconds
  return outcome === 'ok' && isAfter && clock.nowMs() - testedSeconds * 1000 >= confirmMs
}

function isRecovering({ status }: Row, { ok, keys }: ProbeResult): boolean {
  const isOut = status === CHANNEL_STATUS.autoDisabled && (ok || keys.some(isWorking))
  return isOut || keys.some((key) => key.isDisabled && key.ok)
}

interface JudgedTest {
  readonly result: ProbeResult
  /** Whether a good result is enough to enable what was disabled automatically. */
  readonly isConfirmed: boolean
}

async function switchAfter(
  parts: TestAllParts,
  channel: Row,
  test: JudgedTest,
): Promise<'disabled' | 'enabled' | undefined> {
  await switchKeys(parts, channel, test)
  return switchChannel(parts, channel, test)
}

/** Switches each key separately, as long as another working key remains. */
async function switchKeys(
  parts: TestAllParts,
  channel: Row,
  { result: { keys }, isConfirmed }: JudgedTest,
): Promise<void> {
  const working = keys.filter(isWorking)
  const mayEnable = isConfirmed && parts.options.get('AutomaticEnableChannelEnabled')
  for (const probe of keys) {
    const isOut = probe.isDisabled
    if (isOut && probe.ok && mayEnable)
      await parts.switch.enableKey({ channelId: channel.id, key: probe.key })
    const mayDisable = !isOut && isRefused(probe) && working.length > 0
    if (mayDisable && isAutomatic(parts, channel))
      await parts.switch.disableKey({ channelId: channel.id, key: probe.key, reason: probe.message })
  }
}

async function switchChannel(
  parts: TestAllParts,
  channel: Row,
  { result, isConfirmed }: JudgedTest,
): Promise<'disabled' | 'enabled' | undefined> {
  const slow = slownessOf(parts, result)
  if (channel.status === CHANNEL_STATUS.enabled && isAutomatic(parts, channel)) {
    const reason = allRefused(result) ? result.message : slow
    if (reason === undefined) return undefined
    return (await parts.switch.disable({ channelId: channel.id, reason })) ? 'disabled' : undefined
  }
  const isBack = result.keys.some(isWorking) || (result.ok && result.keys.length === 0)
  const isOut = channel.status === CHANNEL_STATUS.autoDisabled
  const mayEnable = isConfirmed && isOut && isBack && slow === undefined
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
