import type { ModelTraits, TraitLine } from './model-traits.ts'

const THINKING = 'https://ai.google.dev/gemini-api/docs/thinking'

const older: ModelTraits = { signsCalls: false, searchBesideFunctions: 'refused' }

const withBudget: ModelTraits = {
  ...older,
  reasons: true,
  thinkingBudget: { min: 0, max: 24_576 },
  thinkingOff: true,
  efforts: ['none', 'low', 'medium', 'high'],
}

const newest: ModelTraits = {
  reasons: true,
  thinkingBudget: false,
  thinkingOff: false,
  efforts: ['low', 'medium', 'high'],
  signsCalls: true,
  searchBesideFunctions: 'flagged',
}

const withMinimal: ModelTraits = { ...newest, efforts: ['minimal', 'low', 'medium', 'high'] }

/**
 * An unknown Gemini, and an alias that moves between models such as `gemini-flash-latest`, gets the traits of
 * the newest models.
 */
export const googleLines: readonly TraitLine[] = [
  {
    label: 'Gemini 1 and 2.0',
    models: /^gemini-(?:1|2\.0|exp|pro$|pro-vision|ultra)/,
    traits: { ...older, reasons: false, thinkingBudget: false },
    source: THINKING,
  },
  {
    label: 'Gemini 2.5 Flash-Lite',
    models: /^gemini-2\.5-flash-lite/,
    traits: { ...withBudget, thinkingBudget: { min: 512, max: 24_576 } },
    source: `${THINKING}#set-budget`,
  },
  {
    label: 'Gemini 2.5 Pro',
    models: /^gemini-2\.5-pro/,
    traits: {
      ...withBudget,
      thinkingBudget: { min: 128, max: 32_768 },
      thinkingOff: false,
      efforts: ['low', 'medium', 'high'],
    },
    source: `${THINKING}#set-budget`,
  },
  {
    label: 'Gemini 2.5 Flash and others of 2',
    models: /^gemini-(?:2\.|robotics)/,
    traits: withBudget,
    source: `${THINKING}#set-budget`,
  },
  {
    label: 'Gemini 3 Flash Image',
    models: /^gemini-3\.\d-flash(?:-lite)?-image/,
    traits: { ...newest, efforts: ['minimal', 'high'] },
    source: THINKING,
  },
  {
    label: 'Gemini 3 Pro',
    models: /^gemini-3-pro/,
    traits: { ...newest, efforts: ['low', 'high'] },
    source: 'https://ai.google.dev/gemini-api/docs/gemini-3',
  },
  {
    label: 'Gemini 3 to 3.6 Flash',
    models: /^gemini-3(?:\.[1-6])?-flash/,
    traits: withMinimal,
    source: 'https://ai.google.dev/gemini-api/docs/whats-new-gemini-3.5',
  },
  {
    label: 'Gemini 3.1 Pro, 3.7 Flash and newer',
    models: /^gemini-/,
    traits: newest,
    source: 'https://ai.google.dev/gemini-api/docs/models/gemini-3.7-flash',
  },
]
