import { plainName } from '@tollgate/catalogue/names/plain-name'

/**
 * Facts from a vendor's documentation of a model, for people and clients that choose one. An absent member is
 * unknown.
 */
export interface ModelFacts {
  /** Input and output tokens together. */
  readonly contextTokens?: number
  readonly outputTokensMax?: number
  readonly input?: readonly Modality[]
  readonly output?: readonly Modality[]
  /**
   * Day on which the vendor shuts the model down, or has done so: `2026-12-11`. Clouds that resell it may
   * have other dates.
   */
  readonly shutdownDate?: string
}

export type Modality = 'text' | 'image' | 'audio' | 'video' | 'file' | 'embedding'

/**
 * Returns the documented facts of a model by its name. Unknown names of a known model line get none, because
 * a wrong context size would make agents compact too late. `sizesOf` gives the upper bounds for the same
 * models.
 */
export function factsOf(model: string): ModelFacts {
  const kept = known.get(model)
  if (kept !== undefined) return kept
  const facts = readFacts(plainName(model))
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(model, facts)
  return facts
}

/** Cache by name: names repeat, and the lookup has to try many patterns. */
const known = new Map<string, ModelFacts>()
const KNOWN_MAX = 2_000

function readFacts(name: string): ModelFacts {
  const line = lines.find(([pattern]) => pattern.test(name))
  const shutdown = shutdowns.find(([pattern]) => pattern.test(name))
  return { ...line?.[1], shutdownDate: shutdown?.[1] }
}

const TEXT = ['text'] as const
const SEES = ['text', 'image'] as const
const READS = ['text', 'image', 'file'] as const
const HEARS = ['text', 'image', 'audio', 'video', 'file'] as const

function chat(contextTokens: number, outputTokensMax: number, input: readonly Modality[]): ModelFacts {
  return { contextTokens, outputTokensMax, input, output: TEXT }
}

/** Models for audio or images: only their modalities, and no context size. */
function media(input: readonly Modality[], output: readonly Modality[]): ModelFacts {
  return { input, output }
}

function vectors(contextTokens: number): ModelFacts {
  return { contextTokens, input: TEXT, output: ['embedding'] }
}

/**
 * The first pattern that matches the plain name applies. https://developers.openai.com/api/docs/models
 * https://platform.claude.com/docs/en/about-claude/models/overview
 * https://ai.google.dev/gemini-api/docs/models
 */
const lines: readonly (readonly [RegExp, ModelFacts])[] = [
  [/^text-embedding-(?:3|ada)/, vectors(8_192)],
  [/^gemini-embedding-001/, vectors(2_048)],
  [/^(?:gpt-image|chatgpt-image)/, media(SEES, ['image'])],
  [/^dall-e/, media(TEXT, ['image'])],
  [/^imagen-/, media(TEXT, ['image'])],
  [/^(?:tts-|gpt-[\w.-]+-tts)/, media(TEXT, ['audio'])],
  [/^(?:whisper-|gpt-[\w.-]+-transcribe)/, media(['audio'], TEXT)],
  [/^omni-moderation/, media(SEES, TEXT)],
  [/^gpt-(?:realtime|[\w.-]+-realtime)/, media(['text', 'audio', 'image'], ['text', 'audio'])],
  [/^gpt-(?:audio|4o(?:-mini)?-audio)/, chat(128_000, 16_384, ['text', 'audio'])],
  [/search-preview|search-api|deep-research/, {}],
  [
    /^gpt-(?:5\.[4-6]|6(?:\.1)?)-?(?:pro|sol|luna|terra|astra)?(?:-\d{4}-\d\d-\d\d)?$/,
    chat(1_050_000, 128_000, READS),
  ],
  [/^gpt-5(?:\.\d)?-chat/, chat(128_000, 16_384, SEES)],
  [/^gpt-5-pro/, chat(400_000, 272_000, READS)],
  [/^gpt-5(?:\.[1-3])?(?:-|$)/, chat(400_000, 128_000, READS)],
  [/^gpt-4\.1/, chat(1_047_576, 32_768, READS)],
  [/^gpt-4o-2024-05-13/, chat(128_000, 4_096, SEES)],
  [/^(?:chatgpt-4o|gpt-4o)/, chat(128_000, 16_384, READS)],
  [/^gpt-4\.5/, chat(128_000, 16_384, SEES)],
  [/^gpt-4-(?:turbo-preview|1106|0125)/, chat(128_000, 4_096, TEXT)],
  [/^gpt-4-turbo/, chat(128_000, 4_096, SEES)],
  [/^gpt-4-32k/, chat(32_768, 32_768, TEXT)],
  [/^gpt-4(?:-0\d{3})?$/, chat(8_192, 8_192, TEXT)],
  [/^gpt-3\.5-turbo-instruct/, chat(4_096, 4_096, TEXT)],
  [/^gpt-3\.5-turbo/, chat(16_385, 4_096, TEXT)],
  [/^gpt-oss/, chat(131_072, 131_072, TEXT)],
  [/^o1-mini/, chat(128_000, 65_536, TEXT)],
  [/^o1-preview/, chat(128_000, 32_768, TEXT)],
  [/^o3-mini/, chat(200_000, 100_000, TEXT)],
  [/^o[134](?:-|$)/, chat(200_000, 100_000, READS)],
  [/^claude-[a-z]+-3\.0$/, chat(200_000, 4_096, SEES)],
  [/^claude-[a-z]+-3\.5$/, chat(200_000, 8_192, READS)],
  [/^claude-sonnet-3\.7$/, chat(200_000, 64_000, READS)],
  [/^claude-opus-4\.[01]$/, chat(200_000, 32_000, READS)],
  [/^claude-[a-z]+-4\.[0-5]$/, chat(200_000, 64_000, READS)],
  [
    /^claude-(?:opus-4\.[6-8]|sonnet-4\.6|(?:opus|sonnet|haiku)-5\.[05]|fable-5\.[0-2]|mythos-5\.0)$/,
    chat(1_000_000, 128_000, READS),
  ],
  [/^gemini-[\w.-]+-image/, media(SEES, SEES)],
  [/^gemini-[\w.-]+-tts/, media(TEXT, ['audio'])],
  [/^gemini-[\w.-]*(?:live|native-audio)/, media(['text', 'audio', 'video'], ['text', 'audio'])],
  [/^gemini-1\.5-pro/, chat(2_097_152, 8_192, HEARS)],
  [/^gemini-(?:1\.5|2\.0)-flash/, chat(1_048_576, 8_192, HEARS)],
  [/^gemini-(?:2\.5|3|3\.[15-8])-(?:pro|flash)/, chat(1_048_576, 65_536, HEARS)],
]

/**
 * Shutdown dates announced by the vendors: https://developers.openai.com/api/docs/deprecations
 * https://platform.claude.com/docs/en/about-claude/model-deprecations
 * https://ai.google.dev/gemini-api/docs/deprecations
 */
const shutdowns: readonly (readonly [RegExp, string])[] = [
  [/^gpt-4-32k/, '2025-06-06'],
  [/^gpt-4\.5-preview/, '2025-07-14'],
  [/^o1-preview/, '2025-07-28'],
  [/^o1-mini/, '2025-10-27'],
  [/^chatgpt-4o-latest/, '2026-02-17'],
  [/^dall-e-[23]$/, '2026-05-12'],
  [/^gpt-3\.5-turbo-(?:instruct|1106)/, '2026-09-28'],
  [/^gpt-3\.5-turbo(?:-0125)?$/, '2026-10-23'],
  [/^gpt-4(?:-0613|-1106-preview|-turbo|-turbo-2024-04-09)?$/, '2026-10-23'],
  [/^gpt-4o-2024-05-13/, '2026-10-23'],
  [/^gpt-4\.1-nano/, '2026-10-23'],
  [/^(?:o1|o1-pro|o3-mini|o4-mini)(?:-\d{4}-\d\d-\d\d)?$/, '2026-10-23'],
  [/^(?:gpt-image-1-mini|gpt-image-1\.5|chatgpt-image-latest)/, '2026-12-01'],
  [/^gpt-5(?:-mini|-nano|-pro)?(?:-\d{4}-\d\d-\d\d)?$/, '2026-12-11'],
  [/^(?:o3|o3-pro)(?:-\d{4}-\d\d-\d\d)?$/, '2026-12-11'],
  [/^(?:gpt-4o|gpt-4o-mini|gpt-4\.1|gpt-4\.1-mini)(?:-\d{4}-\d\d-\d\d)?$/, '2027-01-14'],
  [/^gpt-5\.1(?:-\d{4}-\d\d-\d\d)?$/, '2027-04-01'],
  [/^claude-(?:v?[12]\b|instant|sonnet-3\.0)/, '2025-07-21'],
  [/^claude-sonnet-3\.5$/, '2025-10-28'],
  [/^claude-opus-3\.0$/, '2026-01-05'],
  [/^claude-(?:sonnet-3\.7|haiku-3\.5)$/, '2026-02-19'],
  [/^claude-haiku-3\.0$/, '2026-04-20'],
  [/^claude-(?:opus|sonnet)-4\.0$/, '2026-06-15'],
  [/^gemini-1\.5/, '2025-09-24'],
  [/^gemini-3-pro-preview/, '2026-03-09'],
  [/^gemini-2\.5-(?:pro|flash)$/, '2026-12-01'],
]
