import type { ModelTraits, TraitLine } from './model-traits.ts'

const REASONING = 'https://developers.openai.com/api/docs/guides/reasoning'
const MODELS = 'https://developers.openai.com/api/docs/models'
const SEARCH = 'https://developers.openai.com/api/docs/guides/tools-web-search'

const SAMPLING = [
  'temperature',
  'top_p',
  'top_k',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
] as const

const reasoning: ModelTraits = {
  refuses: SAMPLING,
  outputLimit: 'max_completion_tokens',
  vendorSystemRole: 'developer',
  reasons: true,
  thinkingOff: false,
  efforts: ['low', 'medium', 'high'],
  responsesFor: ['search'],
}

/** https://developers.openai.com/api/docs/guides/function-calling#custom-tools */
const takesFreeText: ModelTraits = { ...reasoning, customTools: true }
const canStopThinking: ModelTraits = { ...takesFreeText, thinkingOff: true }
const responsesOnly: ModelTraits = { ...reasoning, responsesFor: ['everything'] }
const plain: ModelTraits = { refuses: ['top_k'], reasons: false, efforts: [], responsesFor: ['search'] }
const newest: ModelTraits = {
  ...takesFreeText,
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  responsesFor: ['tools', 'max-effort', 'search'],
}

/**
 * An unknown name that begins with `gpt-`, or with `o` and a digit, gets the traits of the newest models of
 * its line.
 */
export const openaiLines: readonly TraitLine[] = [
  // Models that are served by other vendors, or called at endpoints of their own.
  {
    label: 'gpt-oss',
    models: /^gpt-oss/,
    traits: { reasons: true, thinkingOff: false, efforts: ['low', 'medium', 'high'] },
    source: 'https://github.com/openai/gpt-oss',
  },
  {
    label: 'Models for sound and pictures',
    models: /^gpt-(?:image|audio|realtime|neo|j\b)|^gpt-.*(?:realtime|audio|transcribe|tts)/,
    traits: {},
    source: MODELS,
  },
  {
    label: 'GPT-4o Search',
    models: /-search-preview/,
    traits: { ...plain, refuses: SAMPLING, responsesFor: [] },
    source: SEARCH,
  },
  {
    label: 'GPT-5 Search',
    models: /^gpt-5[\d.]*-search-api/,
    traits: { ...reasoning, efforts: [], vendorSystemRole: 'system', responsesFor: [] },
    source: SEARCH,
  },
  {
    label: 'Deep research, computer use',
    models: /deep-research|^computer-use/,
    traits: responsesOnly,
    source: MODELS,
  },
  {
    label: 'o1-mini, o1-preview',
    models: /^o1-(?:mini|preview)/,
    traits: { ...reasoning, efforts: [], vendorSystemRole: 'system' },
    source: REASONING,
  },
  {
    label: 'o1-pro, o3-pro, codex-mini',
    models: /^(?:o\d-pro|codex-mini)/,
    traits: responsesOnly,
    source: 'https://developers.openai.com/api/docs/models/o1-pro',
  },
  { label: 'o1, o3, o4 and newer', models: /^o\d/, traits: reasoning, source: REASONING },
  {
    label: 'GPT-3.5, GPT-4, GPT-5 Chat',
    models: /^(?:gpt-[34]|chatgpt-4o|gpt-5-chat)/,
    traits: plain,
    source: MODELS,
  },
  {
    label: 'GPT-5.1 Chat and newer',
    models: /^gpt-5\.?\d?-chat/,
    traits: { ...reasoning, efforts: ['medium'] },
    source: MODELS,
  },
  {
    label: 'GPT-5 Pro',
    models: /^gpt-5-pro/,
    traits: { ...responsesOnly, efforts: ['high'] },
    source: 'https://developers.openai.com/api/docs/models/gpt-5-pro',
  },
  {
    label: 'GPT-5.2 Pro and newer',
    models: /^gpt-5.*-pro/,
    traits: { ...responsesOnly, efforts: ['medium', 'high', 'xhigh'] },
    source: 'https://developers.openai.com/api/docs/models/gpt-5.2-pro',
  },
  {
    label: 'GPT-5 Codex, GPT-5.1 Codex',
    models: /^gpt-5(?:\.?1)?-codex(?!-max)/,
    traits: responsesOnly,
    source: 'https://cookbook.openai.com/examples/gpt-5-codex_prompting_guide',
  },
  {
    label: 'GPT-5.1 Codex Max and newer',
    models: /^(?:gpt-\d.*)?-?codex/,
    traits: { ...responsesOnly, efforts: ['low', 'medium', 'high', 'xhigh'] },
    source: MODELS,
  },
  {
    label: 'GPT-6 Pro and newer',
    models: /^gpt-\d.*-pro/,
    traits: { ...newest, responsesFor: ['everything'] },
    source: MODELS,
  },
  {
    label: 'GPT-5',
    models: /^gpt-5(?![.\d])/,
    traits: { ...takesFreeText, efforts: ['minimal', 'low', 'medium', 'high'] },
    source: REASONING,
  },
  {
    label: 'GPT-5.1',
    models: /^gpt-5\.?1/,
    traits: { ...canStopThinking, efforts: ['none', 'low', 'medium', 'high'] },
    source: 'https://developers.openai.com/api/docs/models/gpt-5.1',
  },
  {
    label: 'GPT-5.2 and 5.3',
    models: /^gpt-5\.?[23]/,
    traits: { ...canStopThinking, efforts: ['none', 'low', 'medium', 'high', 'xhigh'] },
    source: 'https://developers.openai.com/api/docs/models/gpt-5.2',
  },
  {
    label: 'GPT-5.4 and 5.5',
    models: /^gpt-5\.?[45]/,
    traits: {
      ...canStopThinking,
      efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
      responsesFor: ['tools-with-effort', 'search'],
    },
    source: 'https://github.com/openai/openai-openapi/issues/541',
  },
  {
    label: 'GPT-5.6, GPT-6 Sol',
    models: /^gpt-5|^gpt-6-sol/,
    traits: {
      ...newest,
      thinkingOff: true,
      efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
    },
    source:
      'https://community.openai.com/t/gpt-5-6-chat-completion-reasoning-effort-bug-behavior-change/1386454',
  },
  {
    label: 'GPT-6, GPT-6.1 and newer',
    models: /^gpt-/,
    traits: newest,
    source: 'https://developers.openai.com/api/docs/guides/deployment-checklist',
  },
]
