import type { ModelTraits, TraitLine } from './model-traits.ts'

const EFFORT = 'https://platform.claude.com/docs/en/build-with-claude/effort'
const MIGRATION = 'https://platform.claude.com/docs/en/about-claude/models/migration-guide'
const THINKING = 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking'

const BUDGET = { min: 1024, max: 128_000 }
const SAMPLING = ['temperature', 'top_p', 'top_k'] as const

const withBudget: ModelTraits = {
  reasons: true,
  adaptiveThinking: false,
  thinkingBudget: BUDGET,
  thinkingOff: true,
  jsonSchema: false,
}

const adaptive: ModelTraits = {
  refuses: SAMPLING,
  reasons: true,
  adaptiveThinking: true,
  thinkingBudget: false,
  thinkingOff: true,
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  jsonSchema: true,
  prefill: false,
}

const alwaysThinking: ModelTraits = { ...adaptive, thinkingOff: false }

/**
 * Model names are `claude-<family>-<major>.<minor>`. An unknown name gets the traits of the newest models.
 */
export const anthropicLines: readonly TraitLine[] = [
  {
    label: 'Claude 1 to 3.5',
    models: /^claude-(?:instant|v?[12]\b|[a-z]+-(?:[12]\.|3\.[0-6]$))/,
    traits: { reasons: false, adaptiveThinking: false, thinkingBudget: false, jsonSchema: false },
    source: THINKING,
  },
  { label: 'Claude 3.7 and 4', models: /^claude-[a-z]+-(?:3\.|4\.0)/, traits: withBudget, source: THINKING },
  {
    label: 'Claude Opus 4.1',
    models: /^claude-[a-z]+-4\.[1-4]$/,
    traits: { ...withBudget, temperatureOrTopP: true },
    source:
      'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html',
  },
  {
    label: 'Claude 4.5',
    models: /^claude-[a-z]+-4\.5$/,
    traits: { ...withBudget, temperatureOrTopP: true, jsonSchema: true },
    source: 'https://platform.claude.com/docs/en/build-with-claude/structured-outputs',
  },
  {
    label: 'Claude 4.6',
    models: /^claude-[a-z]+-4\.6$/,
    traits: {
      reasons: true,
      temperatureOrTopP: true,
      adaptiveThinking: true,
      thinkingBudget: BUDGET,
      thinkingOff: true,
      efforts: ['low', 'medium', 'high', 'max'],
      jsonSchema: true,
      prefill: false,
    },
    source: EFFORT,
  },
  // Of Sonnet and Haiku there are no versions between 4.6 and 5.
  { label: 'Claude Opus 4.7 and 4.8', models: /^claude-[a-z]+-4\./, traits: adaptive, source: MIGRATION },
  {
    label: 'Claude Mythos Preview',
    models: /^claude-mythos-preview/,
    traits: { ...alwaysThinking, efforts: ['low', 'medium', 'high', 'max'] },
    source: EFFORT,
  },
  {
    label: 'Claude Opus 5, Sonnet 5, Haiku 5',
    models: /^claude-(?:(?:opus|sonnet)-5\.[0-4]|haiku-5\.\d)$/,
    traits: adaptive,
    source: MIGRATION,
  },
  {
    label: 'Claude Opus 5.5, Sonnet 5.5, Fable, Mythos and newer',
    models: /^claude-/,
    traits: alwaysThinking,
    source: 'https://platform.claude.com/docs/en/about-claude/models/whats-new-opus-5-5',
  },
]
