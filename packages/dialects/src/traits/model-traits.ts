import type { Effort } from '../canonical/conversation.ts'

/**
 * Capabilities that depend on the model name: which members the model rejects, and in which form it takes
 * others. An absent member means unknown; then the caller's value is passed through unchanged.
 */
export interface ModelTraits {
  /** Members that the model rejects with an error, by their chat completions names. */
  readonly refuses?: readonly RefusableMember[]
  /** Whether the model accepts a temperature or `top_p`, but rejects both together. */
  readonly temperatureOrTopP?: boolean
  /** Name of the output limit in chat completions. */
  readonly outputLimit?: 'max_tokens' | 'max_completion_tokens'
  /** Role of system prompts in chat completions, whatever the host. */
  readonly systemRole?: SystemRole
  /**
   * Role of system prompts at the hosts of the model's own vendor, where `systemRole` is absent. Other hosts
   * take `system`: a model's name says nothing about the server that runs it.
   */
  readonly vendorSystemRole?: SystemRole
  /**
   * Where the model accepts system messages in chat completions. Absent: decided by the address of the
   * upstream.
   */
  readonly systemMessages?: SystemMessages
  /**
   * Whether chat completions for the model need a single string where the content could be a list of texts.
   */
  readonly joinedTexts?: boolean
  /** Whether the model reasons before it answers. */
  readonly reasons?: boolean
  /** Efforts that the model accepts, from lowest to highest; empty if it accepts no effort at all. */
  readonly efforts?: readonly Effort[]
  /** Bounds of the thinking budget in tokens; `false` if the model rejects budgets. */
  readonly thinkingBudget?: BudgetBounds | false
  /** Whether the model supports adaptive thinking, in which it decides itself how much to think. */
  readonly adaptiveThinking?: boolean
  /** Whether thinking can be switched off. */
  readonly thinkingOff?: boolean
  /** Whether the model supports JSON schemas natively. */
  readonly jsonSchema?: boolean
  /** `false`: the model refuses a conversation that ends with its own turn. */
  readonly prefill?: boolean
  /** Whether the model signs its tool calls and needs the signatures back. */
  readonly signsCalls?: boolean
  /**
   * Whether the model supports custom tools with free text in chat completions; otherwise they become
   * functions.
   */
  readonly customTools?: boolean
  /** Whether web search can be used together with functions; `flagged`: only with a member that allows it. */
  readonly searchBesideFunctions?: 'allowed' | 'flagged' | 'refused'
  /** `always`: the upstream refuses requests for whole answers; its streams are collected. */
  readonly streams?: 'always'
  /** `false`: the channel has no Responses endpoint for the model, so chat completions are used. */
  readonly responses?: boolean
  /** The most characters that the host takes in the description of a function. */
  readonly toolDescription?: 1024
  /** Whether the host refuses halves of surrogate pairs, so that they are replaced in every request. */
  readonly wholeTexts?: boolean
  /** Members of Messages requests that the host refuses as extra inputs; they only tune the answer. */
  readonly refusedInputs?: readonly ExtraInput[]
  /** `usual`: the host refuses betas, so only those are sent that every cloud takes. */
  readonly betas?: 'usual'
  /** Kinds of requests that only the vendor's Responses endpoint accepts. */
  readonly responsesFor?: readonly ResponsesReason[]
}

export type SystemRole = 'system' | 'developer'

/**
 * `anywhere`: system messages stay in place. `reminders`: one at the start, and later ones become a user
 * message with a `<system-reminder>`. `hoisted`: later ones are merged into the first.
 */
export const systemPlaces = ['anywhere', 'reminders', 'hoisted'] as const
export type SystemMessages = (typeof systemPlaces)[number]

export interface BudgetBounds {
  readonly min: number
  readonly max: number
}

export const refusableMembers = [
  'temperature',
  'top_p',
  'top_k',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
] as const
export type RefusableMember = (typeof refusableMembers)[number]

/** Members of Messages requests that may be left out for a host that does not know them, by their place. */
export const extraInputs = [
  'context_management',
  'output_config.effort',
  'thinking.display',
  'speed',
  'inference_geo',
  'tools.eager_input_streaming',
  'tools.defer_loading',
  'tools.input_examples',
  'tools.strict',
  'cache_control.scope',
  'cache_control.ttl',
] as const
export type ExtraInput = (typeof extraInputs)[number]

export const responsesReasons = ['everything', 'tools', 'tools-with-effort', 'max-effort', 'search'] as const
export type ResponsesReason = (typeof responsesReasons)[number]

/** One line of the table; the first line whose pattern matches a plain name applies. */
export interface TraitLine {
  /** Readable name of the models. */
  readonly label: string
  readonly models: RegExp
  readonly traits: ModelTraits
  /** URL of the vendor's documentation, or of a report. */
  readonly source: string
}
