import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import type { Snapshots, RosterChannel } from '../snapshots/snapshots.ts'
import { hasKey } from '../snapshots/roster.ts'
import type {
  ExplainedAffinity,
  ExplainedChannel,
  RouteExplanation,
  RouteQuestion,
  Standing,
} from '../ports/channel-insight.ts'
import type { Affinity } from './affinity/affinity.ts'
import { type Binding, boundKey } from './affinity/binding.ts'
import { explainedSession } from './affinity/explained-session.ts'
import { drawChannel, share } from './stations/route/draw.ts'
import { usableKey } from './stations/route/route.ts'
import { serves } from './serves.ts'
import type { KeyHealth } from './stations/route/key-health.ts'

export interface ExplainDeps {
  readonly snapshots: Pick<Snapshots, 'roster' | 'settings'>
  readonly health: KeyHealth
  /** Monotonic time, from the same clock as the relay's. */
  readonly now: () => number
  readonly random: () => number
  readonly affinity: Pick<Affinity, 'find'>
  /** The session with a name, as calls of this owner have it. */
  readonly sessionNamed: (ownerId: number, name: string) => string
}

/** Explains which channels would serve a call and why, using the same code as real calls. */
export function createExplain(deps: ExplainDeps): (question: RouteQuestion) => Promise<RouteExplanation> {
  return async (question) => {
    const candidates = deps.snapshots.roster().candidates(question.group, question.model)
    const names = { asked: question.model, offered: candidates.model }
    const { operation } = question
    const isFit = (channel: RosterChannel) => serves(channel, { operation, names, uncounted: undefined })
    const tiers = candidates.tiers.map((tier) => tier.filter(isFit))
    const settings = deps.snapshots.settings().affinity
    const asked = explainedSession(question, { settings, named: deps.sessionNamed })
    const found = asked === undefined || 'reason' in asked ? undefined : asked
    const binding = found && (await bindingOf(deps, question, found.session))
    const isKept = found?.rule?.staysOnFailure === true
    return {
      model: candidates.model,
      channels: explainAll(deps, question, { model: candidates.model, all: candidates.tiers, tiers }),
      ...dryRuns(deps, question, { tiers: candidates.tiers, isFit, binding, isKept }),
      ...(asked && {
        affinity:
          'reason' in asked
            ? { result: 'none' as const, reason: asked.reason }
            : { ...explainAffinity(deps, binding, candidates.tiers, isFit), rule: asked.rule },
      }),
      rules: (settings?.rules ?? [])
        .filter(({ takesModel }) => takesModel(question.model))
        .map(({ name }) => name),
      draws: question.draws,
    }
  }
}

interface Found {
  readonly model: string
  readonly all: readonly (readonly RosterChannel[])[]
  /** Without the channels that do not support the operation. */
  readonly tiers: readonly (readonly RosterChannel[])[]
}

/** Candidates first, in their order; then the other channels that list the model. */
function explainAll(deps: ExplainDeps, question: RouteQuestion, found: Found): ExplainedChannel[] {
  const now = deps.now()
  const asked = found.tiers.flatMap((tier, place) => {
    const sum = tier.reduce((total, channel) => total + share(channel), 0)
    return tier.map((channel) => explained(deps, channel, { tier: place, share: share(channel) / sum, now }))
  })
  const known = new Set(asked.map(({ channel }) => channel.id))
  const others = deps.snapshots
    .roster()
    .all()
    .filter((channel) => !known.has(channel.id) && isAbout(channel, question, found))
    .map((channel) => ({
      channel,
      standing: whyNot(channel, question, found),
      tier: undefined,
      share: 0,
      keysReady: keysReady(deps, channel, now),
    }))
  return [...asked, ...others]
}

function explained(
  deps: ExplainDeps,
  channel: RosterChannel,
  { tier, share: part, now }: { tier: number; share: number; now: number },
): ExplainedChannel {
  const standing = deps.health.isResting(channel, now) ? 'resting' : 'candidate'
  return { channel, standing, tier, share: part, keysReady: keysReady(deps, channel, now) }
}

function keysReady({ health }: ExplainDeps, channel: RosterChannel, now: number): number {
  return health
    .snapshot(channel, now)
    .filter(({ state }, index) => state === 'ready' && !channel.disabledKeys.has(index)).length
}

function isAbout({ models, modelPrefix }: RosterChannel, { model }: RouteQuestion, found: Found): boolean {
  return models.includes(model) || models.includes(found.model) || models.includes(cut(model, modelPrefix))
}

function cut(model: string, prefix: string): string {
  return prefix !== '' && model.startsWith(prefix) ? model.slice(prefix.length) : model
}

function whyNot(channel: RosterChannel, question: RouteQuestion, found: Found): Standing {
  if (channel.status !== CHANNEL_STATUS.enabled) return 'disabled'
  if (!hasKey(channel)) return 'no-key'
  if (!channel.groups.includes(question.group)) return 'other-group'
  if (found.all.some((tier) => tier.includes(channel))) return 'no-operation'
  if (!channel.models.includes(found.model)) return 'no-model'
  return found.model === question.model ? 'withdrawn' : 'prefixed-away'
}

function dryRuns(
  { health, now, random }: ExplainDeps,
  question: RouteQuestion,
  {
    tiers,
    isFit,
    binding,
    isKept,
  }: {
    readonly tiers: readonly (readonly RosterChannel[])[]
    readonly isFit: (channel: RosterChannel) => boolean
    readonly binding: Binding | undefined
    /** No other channel is tried after the bound one. */
    readonly isKept: boolean
  },
): Pick<RouteExplanation, 'attempts' | 'unserved'> {
  const time = now()
  const attempts = Array.from({ length: question.retries + 1 }, () => new Map<number, number>())
  let unserved = 0
  for (let run = 0; run < question.draws; run++) {
    const tried = new Set<number>()
    let served = false
    for (const [attempt, drawn] of attempts.entries()) {
      const channel = drawChannel({
        tiers,
        attempt,
        isTried: (id) => tried.has(id),
        isResting: (candidate) => health.isResting(candidate, time),
        isFit,
        isBound:
          binding && ((candidate) => usableKey(candidate, binding, { health, now: time }) !== undefined),
        random,
      })
      if (channel === undefined) break
      tried.add(channel.id)
      drawn.set(channel.id, (drawn.get(channel.id) ?? 0) + 1)
      served = !question.failing.has(channel.id)
      if (served || (isKept && channel.id === binding?.channelId)) break
    }
    if (!served) unserved++
  }
  return { attempts, unserved }
}

async function bindingOf(
  { affinity }: ExplainDeps,
  { group, model }: RouteQuestion,
  session: string,
): Promise<Binding | undefined> {
  return (await affinity.find(session, { groups: [group], model })).get(group)
}

/** Whether the first attempt of a call would take the bound channel and key. */
function explainAffinity(
  { health, now }: ExplainDeps,
  binding: Binding | undefined,
  tiers: readonly (readonly RosterChannel[])[],
  isFit: (channel: RosterChannel) => boolean,
): Exclude<ExplainedAffinity, { readonly result: 'none' }> {
  if (binding === undefined) return { result: 'new' }
  const time = now()
  const { channelId } = binding
  const drawn = drawChannel({
    tiers,
    attempt: 0,
    isTried: () => false,
    isResting: (candidate) => health.isResting(candidate, time),
    isFit,
    isBound: (candidate) => usableKey(candidate, binding, { health, now: time }) !== undefined,
    random: () => 0,
  })
  const keyIndex = drawn && usableKey(drawn, binding, { health, now: time })
  const channel = tiers.flat().find(({ id }) => id === channelId)
  if (keyIndex !== undefined) return { result: 'bound', channelId, keyIndex }
  return { result: 'moved', channelId, keyIndex: channel && boundKey(channel, binding) }
}
