import { isRecord, type JsonObject } from '../json.ts'
import { efforts } from './efforts.ts'
import {
  extraInputs,
  refusableMembers,
  responsesReasons,
  systemPlaces,
  type BudgetBounds,
  type ModelTraits,
} from './model-traits.ts'

type Read = (value: unknown) => ModelTraits | undefined

export interface TraitField {
  readonly trait: keyof ModelTraits
  /** Returns `undefined` for a value that is invalid for the trait. */
  readonly read: Read
  /** Valid values, written language-neutrally, for the error message about an invalid one. */
  readonly values: string
  /** Description, shown in the reference page. */
  readonly meaning: string
}

/** Traits in their JSON form, as used in the setting of a channel and in responses of the admin API. */
export const traitFields: Readonly<Record<string, TraitField>> = {
  refuses: {
    trait: 'refuses',
    read: (value) => defined(listOf(refusableMembers, value), (refuses) => ({ refuses })),
    values: `[${refusableMembers.join(', ')}]`,
    meaning: 'members it answers with an error; they are left out',
  },
  temperature_or_top_p: flag('temperatureOrTopP', 'it refuses both together', (temperatureOrTopP) => ({
    temperatureOrTopP,
  })),
  output_limit: {
    trait: 'outputLimit',
    read: (value) =>
      defined(oneOf(['max_tokens', 'max_completion_tokens'], value), (outputLimit) => ({ outputLimit })),
    values: 'max_tokens, max_completion_tokens',
    meaning: 'how chat completions name the limit on output',
  },
  system_role: {
    trait: 'systemRole',
    read: (value) => defined(oneOf(['system', 'developer'], value), (systemRole) => ({ systemRole })),
    values: 'system, developer',
    meaning:
      'the role of the first instructions in chat completions; by default `developer` only for newer models at hosts of OpenAI and Azure',
  },
  system_messages: {
    trait: 'systemMessages',
    read: (value) => defined(oneOf(systemPlaces, value), (systemMessages) => ({ systemMessages })),
    values: systemPlaces.join(', '),
    meaning:
      'where system messages stand in chat completions: where they are, one at the beginning and later ones as reminders of the user, or all in the first',
  },
  joined_texts: flag(
    'joinedTexts',
    'in chat completions, a list of nothing but texts becomes one string',
    (joinedTexts) => ({ joinedTexts }),
  ),
  reasons: flag('reasons', 'it thinks before it answers', (reasons) => ({ reasons })),
  efforts: {
    trait: 'efforts',
    read: (value) => defined(listOf(efforts, value), (taken) => ({ efforts: inOrder(taken) })),
    values: `[${efforts.join(', ')}]`,
    meaning: 'efforts it takes',
  },
  thinking_budget: {
    trait: 'thinkingBudget',
    read: (value) => defined(budgetOf(value), (thinkingBudget) => ({ thinkingBudget })),
    values: 'false, {"min": 1024, "max": 32768}',
    meaning: 'bounds of a thinking budget in tokens, or none is taken',
  },
  adaptive_thinking: flag(
    'adaptiveThinking',
    'it decides by itself how much to think',
    (adaptiveThinking) => ({ adaptiveThinking }),
  ),
  thinking_off: flag('thinkingOff', 'thinking can be switched off', (thinkingOff) => ({ thinkingOff })),
  json_schema: flag('jsonSchema', 'it follows a JSON schema by itself', (jsonSchema) => ({ jsonSchema })),
  prefill: flag('prefill', '`false`: it refuses a conversation that ends with its own turn', (prefill) => ({
    prefill,
  })),
  signs_calls: flag('signsCalls', 'it signs its calls of tools', (signsCalls) => ({ signsCalls })),
  custom_tools: flag('customTools', 'it takes tools with free text in chat completions', (customTools) => ({
    customTools,
  })),
  search_beside_functions: {
    trait: 'searchBesideFunctions',
    read: (value) =>
      defined(oneOf(['allowed', 'flagged', 'refused'], value), (searchBesideFunctions) => ({
        searchBesideFunctions,
      })),
    values: 'allowed, flagged, refused',
    meaning: 'a web search beside functions; flagged: with a member that asks for both',
  },
  responses: flag('responses', '`false`: there is no `/v1/responses`', (responses) => ({ responses })),
  tool_description: {
    trait: 'toolDescription',
    read: (value) => (value === 1024 ? { toolDescription: 1024 } : undefined),
    values: '1024',
    meaning: 'the most characters in the description of a function; the rest moves into the instructions',
  },
  whole_texts: flag('wholeTexts', 'halves of surrogate pairs are replaced for it', (wholeTexts) => ({
    wholeTexts,
  })),
  refused_inputs: {
    trait: 'refusedInputs',
    read: (value) => defined(listOf(extraInputs, value), (refusedInputs) => ({ refusedInputs })),
    values: `[${extraInputs.join(', ')}]`,
    meaning: 'members of Messages requests that its host refuses as extra inputs; they are left out',
  },
  betas: {
    trait: 'betas',
    read: (value) => defined(oneOf(['usual'], value), (betas) => ({ betas })),
    values: 'usual',
    meaning: 'its host refuses betas: only those are sent that every cloud takes',
  },
  responses_for: {
    trait: 'responsesFor',
    read: (value) => defined(listOf(responsesReasons, value), (responsesFor) => ({ responsesFor })),
    values: `[${responsesReasons.join(', ')}]`,
    meaning: 'calls that go to `/v1/responses`',
  },
}

export function writeTraits(traits: ModelTraits): JsonObject {
  return Object.fromEntries(
    Object.entries(traitFields).flatMap(([name, { trait }]) =>
      traits[trait] === undefined ? [] : [[name, traits[trait]]],
    ),
  )
}

function flag(trait: keyof ModelTraits, meaning: string, write: (isSet: boolean) => ModelTraits): TraitField {
  return {
    trait,
    read: (value) => (typeof value === 'boolean' ? write(value) : undefined),
    values: 'true, false',
    meaning,
  }
}

function defined<T>(value: T | undefined, write: (value: T) => ModelTraits): ModelTraits | undefined {
  return value === undefined ? undefined : write(value)
}

function oneOf<const T extends string>(words: readonly T[], value: unknown): T | undefined {
  return words.find((word) => word === value)
}

function listOf<const T extends string>(words: readonly T[], value: unknown): readonly T[] | undefined {
  if (!Array.isArray(value) || value.length > words.length) return undefined
  const found = value.map((each) => oneOf(words, each))
  return found.includes(undefined) ? undefined : found.filter((each) => each !== undefined)
}

function inOrder(taken: NonNullable<ModelTraits['efforts']>): NonNullable<ModelTraits['efforts']> {
  return efforts.filter((effort) => taken.includes(effort))
}

function budgetOf(value: unknown): BudgetBounds | false | undefined {
  if (value === false) return false
  if (!isRecord(value)) return undefined
  const { min, max } = value
  return isTokens(min) && isTokens(max) && min <= max ? { min, max } : undefined
}

function isTokens(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
