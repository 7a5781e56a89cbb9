import { readFileSync } from 'node:fs'
import { recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import {
  openScriptedUpstream,
  sendJson,
  type ReceivedRequest,
  type ScriptedUpstream,
} from '../relay/upstream.ts'

/**
 * OpenAI, Anthropic and Google at one address. For each model name it is as strict as the real vendor. The
 * rules are repeated here by model name instead of by pattern, so that the table under test is not tested
 * against itself.
 */
export function openStrictVendor(): Promise<ScriptedUpstream> {
  return openScriptedUpstream((response, request) => {
    const refused = refusal(request)
    if (refused !== undefined)
      return sendJson(response, 400, { error: { message: refused, type: 'invalid' } })
    const isStream = request.body['stream'] === true || request.path.includes('streamGenerateContent')
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    response.end(readFileSync(answer(request.path, isStream ? 'sse' : 'json')))
    return undefined
  })
}

const FIXTURES = new URL('../../../../packages/providers/fixtures/', import.meta.url)

function answer(path: string, kind: string): URL {
  const name = path.includes('/responses')
    ? 'openai/responses'
    : path.includes('/messages')
      ? 'anthropic/messages'
      : isGemini(path)
        ? 'gemini/generate'
        : 'openai/chat'
  return new URL(`${name}.${kind}`, FIXTURES)
}

function isGemini(path: string): boolean {
  return /generateContent/i.test(path)
}

/** The error message with which the vendor would respond 400; `undefined` when it accepts the request. */
function refusal({ path, body }: Pick<ReceivedRequest, 'path' | 'body'>): string | undefined {
  const model = textAt(body, 'model') ?? /models\/([^:]+):/.exec(path)?.[1] ?? ''
  if (path.includes('/messages')) return claudeRefuses(model, body)
  if (isGemini(path)) return geminiRefuses(model, body)
  return path.includes('/responses') ? responsesRefuse(model, body) : chatRefuses(model, body)
}

interface OpenAiRules {
  readonly efforts: readonly string[]
  /** The highest effort, which only Responses accepts and chat completions do not. */
  readonly effortOfResponses?: string
  readonly needsResponses?: 'always' | 'with tools' | 'with tools and effort'
  readonly searches?: true
  readonly isPlain?: true
}

export const openaiModels: Readonly<Record<string, OpenAiRules>> = {
  'gpt-4o': { efforts: [], isPlain: true },
  'gpt-4.1-mini': { efforts: [], isPlain: true },
  'gpt-4o-search-preview': { efforts: [], isPlain: true, searches: true },
  'o4-mini': { efforts: ['low', 'medium', 'high'] },
  'o1-pro': { efforts: ['low', 'medium', 'high'], needsResponses: 'always' },
  'gpt-5-mini': { efforts: ['minimal', 'low', 'medium', 'high'] },
  'gpt-5.2': { efforts: ['none', 'low', 'medium', 'high', 'xhigh'] },
  'gpt-5.3-codex': { efforts: ['low', 'medium', 'high', 'xhigh'], needsResponses: 'always' },
  'gpt-5.5': {
    efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
    needsResponses: 'with tools and effort',
  },
  'gpt-5.6-sol': {
    efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
    effortOfResponses: 'max',
    needsResponses: 'with tools',
  },
  'gpt-6-sol': {
    efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
    effortOfResponses: 'max',
    needsResponses: 'with tools',
  },
  'gpt-6.1-sol': {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    effortOfResponses: 'max',
    needsResponses: 'with tools',
  },
}

/**
 * Models of other vendors: the named ones have no search at this endpoint; any other compatible server may
 * have it.
 */
function elsewhere(model: string): OpenAiRules {
  return { efforts: [], isPlain: true, ...(/^(?:zai-org|moonshot)/.test(model) ? {} : { searches: true }) }
}

const PENALTIES = ['frequency_penalty', 'presence_penalty', 'logit_bias', 'logprobs', 'top_logprobs']

function chatRefuses(model: string, body: JsonObject): string | undefined {
  const rules = openaiModels[model] ?? elsewhere(model)
  const { efforts, needsResponses } = rules
  const effort = body['reasoning_effort']
  const hasTools = recordsAt(body, 'tools').length > 0
  const needs =
    needsResponses === 'always' ||
    (hasTools && needsResponses === 'with tools') ||
    (hasTools && effort !== undefined && effort !== 'none' && needsResponses === 'with tools and effort')
  if (needs) return `${model} is only supported in v1/responses`
  if (body['web_search_options'] !== undefined && rules.searches !== true)
    return 'Web search options not supported with this model.'
  if (effort !== undefined && (!efforts.includes(shown(effort)) || effort === rules.effortOfResponses))
    return `Unsupported value: 'reasoning_effort' does not support '${shown(effort)}' with this model.`
  if (rules.isPlain) return model in openaiModels ? firstOf(body, ['top_k']) : undefined
  return firstOf(body, ['max_tokens', 'temperature', 'top_p', 'top_k', ...PENALTIES])
}

function responsesRefuse(model: string, body: JsonObject): string | undefined {
  const { efforts = [], isPlain } = openaiModels[model] ?? {}
  const odd = firstOf(body, [
    'max_tokens',
    'max_completion_tokens',
    'top_k',
    'stop',
    ...PENALTIES.slice(0, 3),
  ])
  if (odd !== undefined) return odd
  const reasoning = recordAt(body, 'reasoning')
  if (isPlain) return reasoning && "Unsupported parameter: 'reasoning.effort'"
  const effort = reasoning?.['effort']
  if (effort !== undefined && !efforts.includes(shown(effort)))
    return `Unsupported value: 'reasoning.effort' does not support '${shown(effort)}' with this model.`
  return firstOf(body, ['temperature', 'top_p', 'top_logprobs'])
}

interface ClaudeRules {
  readonly takesSampling: 'both' | 'one' | 'none'
  readonly thinks: readonly ('enabled' | 'adaptive' | 'disabled')[]
  readonly efforts: readonly string[]
}

const ALL = ['low', 'medium', 'high', 'xhigh', 'max']
const newer = { takesSampling: 'none', thinks: ['adaptive', 'disabled'], efforts: ALL } as const
const newest = { ...newer, thinks: ['adaptive'] } as const

export const claudeModels: Readonly<Record<string, ClaudeRules>> = {
  'claude-3-5-sonnet-20241022': { takesSampling: 'both', thinks: [], efforts: [] },
  'claude-3-7-sonnet-20250219': { takesSampling: 'both', thinks: ['enabled', 'disabled'], efforts: [] },
  'claude-sonnet-4-5-20250929': { takesSampling: 'one', thinks: ['enabled', 'disabled'], efforts: [] },
  'claude-opus-4-6': {
    takesSampling: 'one',
    thinks: ['enabled', 'adaptive', 'disabled'],
    efforts: ['low', 'medium', 'high', 'max'],
  },
  'claude-opus-4-7': newer,
  'claude-opus-5': newer,
  'claude-opus-5-5': newest,
  'claude-sonnet-5': newer,
  'claude-sonnet-5-5': newest,
  'claude-haiku-5-5': newer,
  'claude-fable-5-2': newest,
  'claude-mythos-5': newest,
}

function claudeRefuses(model: string, body: JsonObject): string | undefined {
  const rules = claudeModels[model]
  if (rules === undefined) return `model: ${model}`
  const sampling = ['temperature', 'top_p', 'top_k'].filter((name) => body[name] !== undefined)
  if (rules.takesSampling === 'none' && sampling.length > 0)
    return `\`${sampling[0]}\` is deprecated for this model.`
  if (rules.takesSampling === 'one' && sampling.includes('temperature') && sampling.includes('top_p'))
    return '`temperature` and `top_p` cannot both be specified for this model.'
  const type = recordAt(body, 'thinking')?.['type']
  if (type !== undefined && !rules.thinks.some((each) => each === type))
    return `"thinking.type.${shown(type)}" is not supported for this model.`
  if (type !== undefined && type !== 'disabled' && sampling.length > 0)
    return 'sampling may not be set when thinking is enabled'
  const effort = recordAt(body, 'output_config')?.['effort']
  if (effort !== undefined && !rules.efforts.includes(shown(effort)))
    return `output_config.effort: ${shown(effort)} is not supported`
  return undefined
}

interface GeminiRules {
  readonly levels?: readonly string[]
  readonly budget?: readonly [min: number, max: number]
  readonly canBeOff?: true
}

export const geminiModels: Readonly<Record<string, GeminiRules>> = {
  'gemini-2.0-flash': {},
  'gemini-2.5-pro': { budget: [128, 32_768] },
  'gemini-2.5-flash': { budget: [1, 24_576], canBeOff: true },
  'gemini-3-pro': { levels: ['low', 'high'] },
  'gemini-3.1-pro-preview': { levels: ['low', 'medium', 'high'] },
  'gemini-3.5-flash': { levels: ['minimal', 'low', 'medium', 'high'] },
  'gemini-3.8-flash': { levels: ['low', 'medium', 'high'] },
}

function geminiRefuses(model: string, body: JsonObject): string | undefined {
  const rules = geminiModels[model]
  if (rules === undefined) return `models/${model} is not found`
  const config = recordAt(recordAt(body, 'generationConfig') ?? {}, 'thinkingConfig')
  if (config === undefined) return undefined
  const { levels, budget, canBeOff } = rules
  if (levels === undefined && budget === undefined) return 'Thinking is not supported for this model'
  const { thinkingLevel, thinkingBudget } = config
  if (thinkingLevel !== undefined && !(levels ?? []).includes(shown(thinkingLevel)))
    return `Thinking level ${shown(thinkingLevel).toUpperCase()} is not supported for this model.`
  if (thinkingBudget === undefined || thinkingBudget === -1) return undefined
  if (budget === undefined) return 'thinking_budget is not supported for this model'
  const isOff = thinkingBudget === 0 && canBeOff === true
  const isInside = Number(thinkingBudget) >= budget[0] && Number(thinkingBudget) <= budget[1]
  return isOff || isInside ? undefined : `The thinking budget ${shown(thinkingBudget)} is invalid.`
}

function firstOf(body: JsonObject, names: readonly string[]): string | undefined {
  const found = names.find((name) => body[name] !== undefined && body[name] !== null)
  return found === undefined
    ? undefined
    : `Unsupported parameter: '${found}' is not supported with this model.`
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
