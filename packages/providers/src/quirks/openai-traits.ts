import { recordAt } from '@tollgate/dialects/json'
import { effortNamed, nearestEffort } from '@tollgate/dialects/traits/efforts'
import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import { plainName } from '@tollgate/catalogue/names/plain-name'
import type { Outgoing, RequestQuirk } from '../provider.ts'
import { omit, onBody, traitsFor, type Body } from './body.ts'
import { modelSuffix } from './model-suffix.ts'
import { newerOutputLimit } from './output-limit.ts'

const EFFORTS = ['xhigh', 'high', 'medium', 'low', 'minimal', 'none'] as const

/** Responses has the effort inside the object `reasoning`; an effort that the client set takes precedence. */
export const responsesByTraits: readonly RequestQuirk[] = [
  effortSuffix((body, effort) => ({ ...body, reasoning: { effort, ...recordAt(body, 'reasoning') } })),
]

/** Removes or renames members of chat completions that the model refuses or expects under another name. */
export const membersByTraits: readonly RequestQuirk[] = [
  withTraits(({ outputLimit }) => outputLimit === 'max_completion_tokens', newerOutputLimit),
  onBody((body, outgoing) => omit(body, ...refusedMembers(traitsFor(outgoing)))),
]

/**
 * Adapts chat completions to OpenAI's models according to their traits. A suffix of the model name may set
 * the effort; an effort in the body takes precedence. https://developers.openai.com/api/docs/guides/reasoning
 */
export const chatByTraits: readonly RequestQuirk[] = [
  effortSuffix((body, effort) => ({ reasoning_effort: effort, ...body })),
  ...membersByTraits,
]

function refusedMembers({ refuses = [] }: ModelTraits): readonly string[] {
  return refuses.includes('logprobs') ? [...refuses, 'top_logprobs'] : refuses
}

function withTraits(fits: (traits: ModelTraits) => boolean, quirk: RequestQuirk): RequestQuirk {
  return (outgoing, upstream) => (fits(traitsFor(outgoing)) ? quirk(outgoing, upstream) : outgoing)
}

/** Reads the effort suffix of a reasoning model's name, such as `o3-mini-high`. */
function effortSuffix(write: (body: Body, effort: string) => Body): RequestQuirk {
  return (outgoing, upstream) => {
    if (!takesSuffix(outgoing)) return outgoing
    const { efforts } = traitsFor(outgoing)
    const suffixes = Object.fromEntries(
      EFFORTS.map((word) => [word, (body: Body) => write(body, takenFor(word, efforts))]),
    )
    return modelSuffix({ suffixes })(outgoing, upstream)
  }
}

function takesSuffix(outgoing: Outgoing): boolean {
  return traitsFor(outgoing).reasons === true && /^(?:o\d|gpt-\d)/.test(plainName(outgoing.model))
}

function takenFor(word: string, efforts: ModelTraits['efforts']): string {
  const wanted = effortNamed(word)
  return (wanted && efforts && nearestEffort(wanted, efforts)) ?? word
}
