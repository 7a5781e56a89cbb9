import { Problem } from '@tollgate/kit/problem'
import type { Egress } from '@tollgate/egress/egress'
import type { Ledger } from '@tollgate/ledger/ledger'
import { admit, type AdmitPorts } from './stations/admit/admit.ts'
import { attempt, type AttemptPorts } from './stations/attempt/attempt.ts'
import { verdictOfBreak } from './stations/attempt/break.ts'
import type { Failure } from './stations/attempt/failure.ts'
import { attemptWithLesson } from './stations/attempt/learn.ts'
import { noteFailure } from './stations/attempt/health.ts'
import { verdictOfProblem, verdictOfThrown } from './stations/attempt/verdict.ts'
import { refuseWithFailure } from './stations/deliver/refuse.ts'
import { triesIn } from './call.ts'
import type { Outcome } from './outcome.ts'
import { hold, type HoldPorts } from './stations/hold/hold.ts'
import type { Held } from './stations/hold/held.ts'
import type { TranscriptRecorder } from './transcript/recorder.ts'
import type { Stations } from './relay.ts'
import type { Choice } from './stations/route/choice.ts'
import { attemptSession } from './realtime/attempt-session.ts'
import type { SessionPorts } from './realtime/ports.ts'
import type { KeyHealth } from './stations/route/key-health.ts'
import { route } from './stations/route/route.ts'
import { settle, type SettlePorts } from './stations/settle/settle.ts'
import type { ChannelTraffic } from './traffic.ts'

export interface StationPorts extends AdmitPorts, HoldPorts, AttemptPorts, SessionPorts, SettlePorts {
  readonly ledger: Ledger
  readonly egress: Pick<Egress, 'dispatcher' | 'socket'>
  readonly random: () => number
  /** Registers work that a shutdown waits for; it must not reject. */
  readonly track: (work: Promise<void>) => void
  /** Called when the upstream refused a channel's last usable key; must not throw. */
  readonly onChannelRefused: (channelId: number, failure: Pick<Failure, 'code' | 'status' | 'detail'>) => void
  /** Called when the upstream refused one of several keys; must not throw. */
  readonly onKeyRefused: (choice: Choice, failure: Failure) => void
  readonly health: KeyHealth
  readonly traffic: ChannelTraffic
  readonly transcripts: TranscriptRecorder
}

/** Connects the stations with their dependencies. */
export function openStations(ports: StationPorts): Stations {
  const { now, health, traffic } = ports
  const routing = { health, now, random: ports.random }

  /** Makes one attempt, adds it to the call's trail and updates the health of the key. */
  async function attemptOnce(held: Held, choice: Choice): Promise<Outcome> {
    // The caller may have left while the hold was placed; then no request is sent.
    if (held.call.isGone) return { type: 'failed', failure: verdictOfBreak({ type: 'drained' }) }
    const startedAt = now()
    const exit = await (held.call.socket === undefined ? attempt : attemptSession)(held, choice, ports)
    const { channel, keyIndex } = choice
    held.call.trail.push({
      channelId: channel.id,
      keyIndex,
      group: held.group,
      ...outcomeOf(exit),
      durationMs: now() - startedAt,
      lesson: choice.lesson,
    })
    const { firstByteAt } = held.call
    if (exit.type === 'delivered') {
      health.succeeded(channel, keyIndex)
      traffic.succeeded(channel.id, firstByteAt === undefined ? undefined : firstByteAt - startedAt)
    } else {
      traffic.failed(channel.id, exit.failure)
      tellRefused(held, choice, exit.failure)
    }
    return exit
  }

  function tellRefused({ settings }: Held, choice: Choice, failure: Failure): void {
    const refused = noteFailure(choice, failure, { health, now })
    if (refused === 'nothing' || !settings.isAutomaticDisable || !choice.channel.isAutoBan) return
    if (refused === 'channel') ports.onChannelRefused(choice.channel.id, failure)
    else ports.onKeyRefused(choice, failure)
  }

  return {
    admit: (call, relayRoute) => admit(call, relayRoute, ports),
    hold: (admitted) => hold(admitted, ports),
    route: (held) => route(held, routing),
    attempt: (held, choice) => attemptWithLesson(held, choice, attemptOnce, ports.lessons),
    elsewhere: (held, exit) => {
      const mayMove = exit === undefined || mayGoOn(held, exit, now() - ports.limits.retryMs)
      return mayMove ? inNextGroup(held) : undefined
    },
    mayTryAgain: (held, exit) =>
      mayGoOn(held, exit, now() - ports.limits.retryMs) &&
      triesIn(held.call, held.group) <= held.settings.retryTimes,
    noChannel: (held) => {
      const parameters = { model: held.ask.model, group: held.group }
      return { type: 'failed', failure: verdictOfProblem('no_channel', { parameters }) }
    },
    failedBy: (held, bug) => {
      if (!(bug instanceof Problem))
        ports.log.error({ error: bug, requestId: held.call.id }, 'a call failed because of a bug')
      const failure = verdictOfThrown(bug)
      refuseWithFailure(held.call, failure)
      return { type: 'failed', failure }
    },
    refuse: (held, exit) => {
      if (exit.type === 'failed') refuseWithFailure(held.call, exit.failure)
    },
    settle: (held, exit) => {
      if (exit.type === 'failed' || exit.ending === 'broken') held.call.counted?.failed()
      ports.track(settle(held, exit, ports))
      if (exit.type === 'delivered') ports.transcripts.note(held, exit)
    },
  }
}

function outcomeOf(exit: Outcome): { outcome: string; status: number } {
  if (exit.type === 'failed') return { outcome: exit.failure.code, status: exit.failure.status }
  return { outcome: exit.ending === 'complete' ? 'ok' : exit.ending, status: 200 }
}

/**
 * Whether another attempt may follow: not after a byte of a response, not when the caller has left or pinned
 * the channel, and not after the retry time.
 */
function mayGoOn({ call, caller }: Held, exit: Outcome, startedAfter: number): boolean {
  if (exit.type === 'delivered' || !exit.failure.isRetryable) return false
  return !call.isGone && caller.pinned === undefined && call.startedAt >= startedAfter
}

/** Moves the call to its next group, which its log row will then name. */
function inNextGroup({ call, next }: Held): Held | undefined {
  if (next !== undefined && call.asked !== undefined) call.asked = { ...call.asked, group: next.group }
  return next
}
