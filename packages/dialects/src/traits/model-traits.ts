import type { Effort } from '../canonical/conversation.ts'

/**
 * What depends on a model's name: what it refuses, and in which form it takes the rest. An absent member means that
 * nothing is known, and what the caller said goes on as it is.
 */
export interface ModelTraits {
  /** Members it answers with an error, by their names in chat completions. */
  readonly refuses?: readonly RefusableMember[]
  /** It takes a temperature or `top_p`, and refuses both together. */
  readonly temperatureOrTopP?: boolean
  /** The member that limits the output in chat completions. */
  readonly outputLimit?: 'max_tokens' | 'max_completion_tokens'
  /** The role of instructions in chat completions. */
  readonly systemRole?: 'system' | 'developer'
  /** Where it takes system messages in chat completions. Absent: decided by where the model is asked. */
  readonly systemMessages?: SystemMessages
  /** In chat completions it takes one string where a message could be a list of texts. */
  readonly joinedTexts?: boolean
  /** It thinks before it answers. */
  readonly reasons?: boolean
  /** Efforts it takes, from the lowest to the highest; none when it takes no effort at all. */
  readonly efforts?: readonly Effort[]
  /** Bounds of a thinking budget in tokens; `false` when it refuses budgets. */
  readonly thinkingBudget?: BudgetBounds | false
  /** Decides by itself how much to think when it is asked to. */
  readonly adaptiveThinking?: boolean
  /** Thinking can be switched off. */
  readonly thinkingOff?: boolean
  /** Follows a JSON schema by itself. */
  readonly jsonSchema?: boolean
  /** Signs its calls of tools, and wants the signatures back. */
  readonly signsCalls?: boolean
  /** Takes tools with free text in chat completions; elsewhere they become functions. */
  readonly customTools?: boolean
  /** A web search beside functions; `flagged`: only with a member that asks for both. */
  readonly searchBesideFunctions?: 'allowed' | 'flagged' | 'refused'
  /** `false`: its channel has no Responses endpoint, and is asked for chat completions instead. */
  readonly responses?: boolean
  /** Calls that only the Responses endpoint of its vendor takes. */
  readonly responsesFor?: readonly ResponsesReason[]
}

/**
 * `anywhere`: where they are. `reminders`: one at the beginning, later ones become a user's `<system-reminder>`.
 * `hoisted`: later ones join the first.
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

export const responsesReasons = ['everything', 'tools', 'tools-with-effort', 'max-effort', 'search'] as const
export type ResponsesReason = (typeof responsesReasons)[number]

/** One line of the table: the first whose pattern fits a plain name decides. */
export interface TraitLine {
  /** The models as people call them. */
  readonly label: string
  readonly models: RegExp
  readonly traits: ModelTraits
  /** Where the vendor documents it, or where it was reported. */
  readonly source: string
}
