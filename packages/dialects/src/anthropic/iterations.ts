import { recordsAt, textAt, type JsonObject } from '../json.ts'
import { anthropicTier } from '../service-tier.ts'
import { addUsage, inputTokens, outputTokens, type Usage, type UsagePart } from '../usage.ts'

/**
 * Steps of a call in `usage.iterations`. The counts beside the list are those of the attempt that gave the
 * answer. Compaction, advisors, and earlier attempts of other models that wrote output are billed as well. An
 * attempt that declined without output is in the list and not billed.
 * https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback and
 * https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-compaction, as quoted on 2026-11-29
 */
const ANSWERS = new Set(['message', 'fallback_message'])

/** A longer list is not read to its end; vendors report a handful of steps. */
const STEPS_MAX = 1_000
/** Steps of one kind and model are one part. Further kinds are added to the last part. */
const PARTS_MAX = 7
const KIND = /^[a-z0-9_]{1,64}$/
const MODEL_CHARACTERS_MAX = 256

interface Step {
  readonly kind: string
  readonly model: string | undefined
  readonly usage: Usage
}

export interface CountedSteps {
  /** Counts of the answer by the model that gave it. */
  readonly answer: Usage
  readonly parts: readonly UsagePart[]
}

type CountReader = (raw: JsonObject) => Usage | undefined

/**
 * Divides a usage into the answer and its further steps. `answer`: the counts beside the list. A step of an
 * unknown kind is billed unless the counts of the answer include it.
 */
export function divideSteps(raw: JsonObject, answer: Usage, readCounts: CountReader): CountedSteps {
  const steps = readSteps(raw, readCounts)
  if (steps.length === 0) return { answer, parts: [] }
  const own = steps.filter(({ kind }) => ANSWERS.has(kind))
  const others = steps.filter(({ kind }) => !ANSWERS.has(kind))
  const billedSteps = others.filter(({ kind }) => kind === 'compaction' || kind === 'advisor_message')
  const isRestIncluded =
    others.length > billedSteps.length && isSum(answer, [...own, ...without(others, billedSteps)])
  const beside = isRestIncluded ? billedSteps : others
  const earlier = earlierAttempts(own)
  const isEarlierIncluded = earlier.length > 0 && isSum(answer, own)
  const billed = [...earlier.filter(({ usage }) => outputTokens(usage) > 0), ...beside]
  const parts = merged(billed.map((step) => ({ ...step, usage: inTier(step, answer) })))
  return { answer: isEarlierIncluded ? less(answer, earlier) : answer, parts }
}

function readSteps(raw: JsonObject, readCounts: CountReader): readonly Step[] {
  return recordsAt(raw, 'iterations')
    .slice(0, STEPS_MAX)
    .flatMap((step) => {
      const usage = readCounts(step)
      if (usage === undefined || inputTokens(usage) + outputTokens(usage) === 0) return []
      const kind = textAt(step, 'type') ?? ''
      const model = textAt(step, 'model')?.slice(0, MODEL_CHARACTERS_MAX)
      return [{ kind: KIND.test(kind) ? kind : 'other', model, usage: { ...usage, ...anthropicTier(step) } }]
    })
}

/** Attempts of other models than the one that gave the answer, which is the last. */
function earlierAttempts(own: readonly Step[]): readonly Step[] {
  const last = own.at(-1)?.model
  return own.filter(({ model }) => model !== undefined && last !== undefined && model !== last)
}

function isSum(answer: Usage, steps: readonly Step[]): boolean {
  const sum = (count: (usage: Usage) => number) => steps.reduce((total, { usage }) => total + count(usage), 0)
  return sum(inputTokens) === inputTokens(answer) && sum(outputTokens) === outputTokens(answer)
}

function without(all: readonly Step[], some: readonly Step[]): readonly Step[] {
  return all.filter((step) => !some.includes(step))
}

/** A step of the answer's own model is served in the tier of the answer, unless it names another. */
function inTier({ model, usage }: Step, { serviceTier }: Usage): Usage {
  const isOwn = model === undefined && usage.serviceTier === undefined && serviceTier !== undefined
  return isOwn ? { ...usage, serviceTier } : usage
}

function less(answer: Usage, steps: readonly Step[]): Usage {
  return steps.reduce((rest, { usage }) => addUsage(rest, usage, -1), answer)
}

function merged(steps: readonly Step[]): readonly UsagePart[] {
  const parts = new Map<string, UsagePart>()
  for (const { kind, model, usage } of steps) {
    const own = `${kind} ${model ?? ''} ${usage.serviceTier ?? ''}`
    const key = parts.has(own) || parts.size < PARTS_MAX ? own : ([...parts.keys()].at(-1) ?? own)
    const before = parts.get(key)
    const part = { kind, ...(model !== undefined && { model }), usage }
    parts.set(key, before === undefined ? part : { ...before, usage: addUsage(before.usage, usage) })
  }
  return [...parts.values()]
}
