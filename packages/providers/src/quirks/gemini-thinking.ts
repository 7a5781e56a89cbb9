import { DEFAULT_BUDGET, budgetOf, levelOf } from '@tollgate/dialects/gemini/thinking'
import { spellingIn } from '@tollgate/dialects/gemini/members'
import { isRecord } from '@tollgate/dialects/json'
import { defaultGeminiOptions, type GeminiOptions } from '../gemini-options.ts'
import { effortNamed } from '@tollgate/dialects/traits/efforts'
import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import type { RequestQuirk } from '../provider.ts'
import { isTold, traitsFor, type Body } from './body.ts'

/** Suffixes of the model name: thinking on, off, with a budget in tokens, or (newer models) at a level. */
const SUFFIX = /^(gemini-.+?)-(thinking-\d{1,6}|nothinking|thinking|minimal|low|medium|high)$/
const BUDGET_MAX = 24_576

/**
 * Reads the thinking suffix of a Gemini model name, if the operator turned this on. Thinking parameters in
 * the body take precedence. https://ai.google.dev/gemini-api/docs/thinking
 */
export const geminiThinking: RequestQuirk = (outgoing) => {
  const { gemini = defaultGeminiOptions, model, body } = outgoing
  const wish = gemini.hasThinkingSuffix ? SUFFIX.exec(model) : null
  const [, bare = model, suffix] = wish ?? []
  const traits = traitsFor(outgoing)
  // Models that take a budget have no level suffixes: a name that ends in `-low`, for example, is the
  // vendor's own and stays.
  if (suffix !== undefined && (/thinking/.test(suffix) || traits.thinkingBudget === false)) {
    return { ...outgoing, model: bare, body: thinking(body, configFor({ traits, suffix, body, gemini })) }
  }
  const shows = outgoing.isConverted === true && gemini.thinkingModels.includes(model)
  return shows ? { ...outgoing, body: thinking(body, { includeThoughts: true }) } : outgoing
}

interface Wish {
  readonly traits: ModelTraits
  readonly suffix: string
  readonly body: Body
  readonly gemini: GeminiOptions
}

function configFor({ traits, suffix, body, gemini }: Wish): Body {
  const isOff = suffix === 'nothinking' || suffix === 'thinking-0'
  const { thinkingBudget: bounds = DEFAULT_BUDGET, efforts = [], thinkingOff } = traits
  if (bounds === false) {
    const effort = isOff ? 'none' : (effortNamed(suffix) ?? 'high')
    return { includeThoughts: !isOff, thinkingLevel: levelOf({ effort }, efforts) }
  }
  const named = /^thinking-(\d+)$/.exec(suffix)?.[1]
  const budgetTokens = named === undefined ? shareOf(body, gemini) : Number(named)
  const limits = { bounds, canBeOff: thinkingOff !== false, outputTokensMax: undefined }
  const thinkingBudget = budgetOf(isOff ? { mode: 'off' } : { mode: 'on', budgetTokens }, limits)
  return { includeThoughts: !isOff, thinkingBudget }
}

function shareOf(body: Body, { thinkingShare }: GeminiOptions): number {
  const { value } = configOf(body)
  const maxOutputTokens = value[spellingIn(value, 'maxOutputTokens')]
  const share = typeof maxOutputTokens === 'number' ? Math.floor(maxOutputTokens * thinkingShare) : 0
  return share === 0 || share > BUDGET_MAX ? BUDGET_MAX : share
}

function thinking(body: Body, thinkingConfig: Body): Body {
  const { name, value } = configOf(body)
  const own = spellingIn(value, 'thinkingConfig')
  return isTold(value, own) ? body : { ...body, [name]: { ...value, [own]: thinkingConfig } }
}

/** The Gemini API accepts both spellings; the client's spelling is kept. */
export function configOf(body: Body): { readonly name: string; readonly value: Body } {
  const name = spellingIn(body, 'generationConfig')
  const value = body[name]
  return { name, value: isRecord(value) ? value : {} }
}
