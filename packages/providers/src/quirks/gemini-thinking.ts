import { budgetOf, hasLevels } from '@tollgate/dialects/gemini/thinking'
import { isRecord } from '@tollgate/dialects/json'
import { defaultGeminiOptions, type GeminiOptions } from '../gemini-options.ts'
import type { RequestQuirk } from '../provider.ts'
import type { Body } from './body.ts'

/** Behind a model's name: think, do not think, think so many tokens, or (newer models) think so hard. */
const SUFFIX = /^(gemini-.+?)-(thinking-\d{1,6}|nothinking|thinking|minimal|low|medium|high)$/
const BUDGET_MAX = 24_576

/**
 * Wishes hidden in the name of a Gemini model, where the operator switched them on. A caller who said in the body how to
 * think is not overruled. https://ai.google.dev/gemini-api/docs/thinking
 */
export const geminiThinking: RequestQuirk = (outgoing) => {
  const { gemini = defaultGeminiOptions, model, body } = outgoing
  const wish = gemini.hasThinkingSuffix ? SUFFIX.exec(model) : null
  const [, bare = model, suffix] = wish ?? []
  // Levels are no suffix of models that are told a budget: their names end as the vendor wants.
  if (suffix !== undefined && (/thinking/.test(suffix) || hasLevels(bare))) {
    return { ...outgoing, model: bare, body: thinking(body, configFor({ bare, suffix, body, gemini })) }
  }
  const shows = outgoing.isConverted === true && gemini.thinkingModels.includes(model)
  return shows ? { ...outgoing, body: thinking(body, { includeThoughts: true }) } : outgoing
}

interface Wish {
  readonly bare: string
  readonly suffix: string
  readonly body: Body
  readonly gemini: GeminiOptions
}

function configFor({ bare, suffix, body, gemini }: Wish): Body {
  const isOff = suffix === 'nothinking' || suffix === 'thinking-0'
  if (hasLevels(bare)) {
    const level = isOff ? 'minimal' : suffix.startsWith('thinking') ? 'high' : suffix
    return { includeThoughts: !isOff, thinkingLevel: level }
  }
  const told = /^thinking-(\d+)$/.exec(suffix)?.[1]
  const budgetTokens = told === undefined ? shareOf(body, gemini) : Number(told)
  const limits = { model: bare, outputTokensMax: undefined }
  const thinkingBudget = budgetOf(isOff ? { mode: 'off' } : { mode: 'on', budgetTokens }, limits)
  return { includeThoughts: !isOff, thinkingBudget }
}

function shareOf(body: Body, { thinkingShare }: GeminiOptions): number {
  const { maxOutputTokens } = configOf(body).value
  const share = typeof maxOutputTokens === 'number' ? Math.floor(maxOutputTokens * thinkingShare) : 0
  return share === 0 || share > BUDGET_MAX ? BUDGET_MAX : share
}

function thinking(body: Body, thinkingConfig: Body): Body {
  const { name, value } = configOf(body)
  const isTold = (value['thinkingConfig'] ?? value['thinking_config'] ?? undefined) !== undefined
  return isTold ? body : { ...body, [name]: { ...value, thinkingConfig } }
}

/** The dialect takes both spellings; what the caller chose stays. */
export function configOf(body: Body): { readonly name: string; readonly value: Body } {
  const name = isRecord(body['generation_config']) ? 'generation_config' : 'generationConfig'
  const value = body[name]
  return { name, value: isRecord(value) ? value : {} }
}
