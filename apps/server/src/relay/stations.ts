import { Problem } from '@tollgate/kit/problem'
import type { Ledger } from '@tollgate/ledger/ledger'
import { admit, type AdmitPorts } from './admit/admit.ts'
import { attempt, type AttemptPorts } from './attempt/attempt.ts'
import { verdictOfBreak } from './attempt/break.ts'
import type { Failure } from './attempt/failure.ts'
import { noteFailure } from './attempt/health.ts'
import { verdictOfProblem, verdictOfThrown } from './attempt/verdict.ts'
import { refuseWithFailure } from './deliver/refuse.ts'
import type { Exit } from './exit.ts'
import { hold, type HoldPorts } from './hold/hold.ts'
import type { Held } from './hold/held.ts'
import type { Stations } from './relay.ts'
import type { Choice } from './route/choice.ts'
import { KeyHealth } from './route/key-health.ts'
import { route } from './route/route.ts'
import { settle, type SettlePorts } from './settle/settle.ts'

export interface StationPorts extends AdmitPorts, HoldPorts, AttemptPorts, SettlePorts {
  readonly ledger: Ledger
  readonly random: () => number
  /** Work that a stop waits for; it must not reject. */
  readonly track: (work: Promise<void>) => void
  /** The upstream refused a channel's last usable key; must not throw. */
  readonly onChannelRefused: (channelId: number, failure: Failure) => void
}

/** The stations with everything they need. */
export function openStations(ports: StationPorts): Stations {
  const { now } = ports
  const health = new KeyHealth()
  const routing = { health, now, random: ports.random }

  /** One attempt, with its note in the trail and its consequence for the key that was used. */
  async function attemptOnce(held: Held, choice: Choice): Promise<Exit> {
    // Nothing is asked of an upstream for a caller who left while quota was set aside.
    if (held.call.isGone) return { type: 'failed', failure: verdictOfBreak({ type: 'drained' }) }
    const startedAt = now()
    const exit = await attempt(held, choice, ports)
    const { channel, keyIndex } = choice
    held.call.trail.push({
      channelId: channel.id,
      keyIndex,
      ...outcomeOf(exit),
      durationMs: now() - startedAt,
    })
    if (exit.type === 'delivered') health.succeeded(channel, keyIndex)
    else if (noteFailure(choice, exit.failure, { health, now })) tellRefused(held, choice, exit.failure)
    return exit
  }

  function tellRefused({ settings }: Held, { channel }: Choice, failure: Failure): void {
    if (settings.isAutomaticDisable && channel.isAutoBan) ports.onChannelRefused(channel.id, failure)
  }

  return {
    admit: (call, entrance) => admit(call, entrance, ports),
    hold: (admitted) => hold(admitted, ports),
    route: (held) => route(held, routing),
    attempt: attemptOnce,
    mayTryAgain: (held, exit) => mayTryAgain(held, exit, now() - ports.limits.retryMs),
    noChannel: (held) => {
      const parameters = { model: held.ask.model, group: held.group }
      return { type: 'failed', failure: verdictOfProblem('no_channel', { parameters }) }
    },
    failedBy: (held, bug) => {
      if (!(bug instanceof Problem))
        ports.log.error({ error: bug, requestId: held.call.id }, 'a call failed by a bug')
      const failure = verdictOfThrown(bug)
      refuseWithFailure(held.call, failure)
      return { type: 'failed', failure }
    },
    refuse: (held, exit) => {
      if (exit.type === 'failed') refuseWithFailure(held.call, exit.failure)
    },
    settle: (held, exit) => ports.track(settle(held, exit, ports)),
  }
}

function outcomeOf(exit: Exit): { outcome: string; status: number } {
  if (exit.type === 'failed') return { outcome: exit.failure.code, status: exit.failure.status }
  return { outcome: exit.ending === 'complete' ? 'ok' : exit.ending, status: 200 }
}

/** Never after a byte of an answer, never for a caller who left or chose the channel, never for ever. */
function mayTryAgain(held: Held, exit: Exit, startedAfter: number): boolean {
  const { call, caller, settings } = held
  if (exit.type === 'delivered' || !exit.failure.isRetryable) return false
  if (call.isGone || caller.pinned !== undefined || call.startedAt < startedAfter) return false
  return call.trail.length <= settings.retryTimes
}
